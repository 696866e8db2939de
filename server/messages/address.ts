import type { Channel as ChannelRow, Contact as ContactRow } from '../../prisma/generated/client/client.ts';
import { adapterFor } from '../channels/registry.ts';
import type { Context } from '../platform/context.ts';

/** Where the contact is reached on a channel: the address they wrote from last, else their own phone or e-mail. */
export async function addressOn(
  ctx: Context,
  channel: Pick<ChannelRow, 'id' | 'kind'>,
  contact: Pick<ContactRow, 'id' | 'phone' | 'email'>,
): Promise<string | null> {
  const known = await ctx.db.contactIdentity.findFirst({
    where: { companyId: ctx.companyId, contactId: contact.id, channelId: channel.id },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    select: { address: true },
  });
  if (known) return known.address;
  const adapter = adapterFor(channel.kind);
  const own = adapter?.ownAddress && contact[adapter.ownAddress];
  return own ? adapter.address(own) : null;
}
