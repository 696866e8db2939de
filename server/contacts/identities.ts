import { newId } from '../platform/ids.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';

interface Identity {
  contactId: string;
  channelId: string;
  /** In the spelling of the channel's adapter. */
  address: string;
}

/** Remembers at which address of a channel a contact writes; one that was somebody else's is theirs from now on. */
export async function rememberAddress(
  ctx: WorkContext,
  { contactId, channelId, address }: Identity,
): Promise<void> {
  const { companyId } = ctx;
  await ctx.db.contactIdentity.upsert({
    where: { companyId_channelId_address: { companyId, channelId, address } },
    create: { companyId, id: newId(), contactId, channelId, address, createdAt: ctx.now() },
    update: { contactId },
    select: { id: true },
  });
}
