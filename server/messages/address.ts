import { type Channel as ChannelRow, Prisma } from '../../prisma/generated/client/client.ts';
import type { ContactRow } from '../contacts/columns.ts';
import { adapterFor } from '../channels/registry.ts';
import type { Context } from '../platform/context.ts';
import { readRows } from '../platform/rows.ts';

/** Where the contact is reached on a channel: the address they wrote from last, else their own phone or e-mail. */
export async function addressOn(
  ctx: Context,
  channel: Pick<ChannelRow, 'id' | 'kind'>,
  contact: Pick<ContactRow, 'id' | 'phone' | 'email'>,
): Promise<string | null> {
  const [known] = await readRows<{ address: string }>(
    ctx,
    Prisma.sql`SELECT address FROM contact_identities
      WHERE company_id = ${ctx.companyId} AND contact_id = ${contact.id} AND channel_id = ${channel.id}
      ORDER BY created_at DESC, id DESC LIMIT 1`,
  );
  if (known) return known.address;
  const adapter = adapterFor(channel.kind);
  const own = adapter?.ownAddress && contact[adapter.ownAddress];
  return own ? adapter.address(own) : null;
}
