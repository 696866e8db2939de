import { isOpenAt } from '../account/business-hours.ts';
import { companyOf } from '../account/company.ts';
import type { ConversationRecord } from '../conversations/record.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';

/**
 * A customer's message may want an away message or an agent. Only where the company has switched these on is there a
 * job; it looks again at what holds then.
 */
export async function wakeAutomation(
  ctx: WorkContext,
  { id: conversationId, assigneeId }: Pick<ConversationRecord, 'id' | 'assigneeId'>,
  message: { id: string; automatic: boolean },
): Promise<void> {
  const { companyId } = ctx;
  const company = await companyOf(ctx);
  if (company.awayMessage !== null && !message.automatic && !isOpenAt(company, ctx.now()))
    await ctx.enqueue('automation.away', { companyId, conversationId, messageId: message.id });
  if (company.autoAssign && assigneeId === null) await ctx.enqueue('automation.assign', { companyId });
}
