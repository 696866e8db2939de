import { type Channel as ChannelRow, Prisma } from '../../prisma/generated/client/client.ts';
import type { ContactRow } from '../contacts/columns.ts';
import { adapterFor } from '../channels/registry.ts';
import type { Context } from '../platform/context.ts';
import { readRows } from '../platform/rows.ts';

type Addressed = Pick<ContactRow, 'id' | 'phone' | 'email'>;
type Way = Pick<ChannelRow, 'id' | 'kind'>;

/** Where the contact is reached on a channel: the address they wrote from last, else their own phone or e-mail. */
export async function addressOn(ctx: Context, channel: Way, contact: Addressed): Promise<string | null> {
  const [known] = await readRows<{ address: string }>(
    ctx,
    Prisma.sql`SELECT address FROM contact_identities
      WHERE company_id = ${ctx.companyId} AND contact_id = ${contact.id} AND channel_id = ${channel.id}
      ORDER BY created_at DESC, id DESC LIMIT 1`,
  );
  return known?.address ?? ownAddress(channel, contact);
}

/** The same for many, in one statement; those who can't be reached are null. */
export async function addressesOn(
  ctx: Context,
  channel: Way,
  contacts: readonly Addressed[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await readRows<{ id: string; address: string }>(
    ctx,
    Prisma.sql`SELECT DISTINCT ON (contact_id) contact_id AS id, address FROM contact_identities
      WHERE company_id = ${ctx.companyId} AND channel_id = ${channel.id}
        AND contact_id = ANY(${contacts.map(({ id }) => id)})
      ORDER BY contact_id, created_at DESC, id DESC`,
  );
  const known = new Map(rows.map(({ id, address }) => [id, address]));
  return new Map(
    contacts.map((contact) => [contact.id, known.get(contact.id) ?? ownAddress(channel, contact)]),
  );
}

function ownAddress({ kind }: Way, contact: Addressed): string | null {
  const adapter = adapterFor(kind);
  const own = adapter?.ownAddress && contact[adapter.ownAddress];
  return own ? adapter.address(own) : null;
}
