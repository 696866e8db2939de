import { openingAt } from '../account/business-hours.ts';
import { companyOf } from '../account/company.ts';
import { lockConversations } from '../conversations/thread.ts';
import type { JobData } from '../platform/jobs.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { speak } from './speak.ts';

/**
 * Answers a customer who wrote outside of the business hours, once a conversation in each closed period. Whoever is
 * open again by now, or has closed the thread, says nothing.
 */
export async function sendAwayMessage(
  ctx: WorkContext,
  { conversationId, messageId }: JobData['automation.away'],
): Promise<void> {
  const company = await companyOf(ctx);
  const text = company.awayMessage;
  const now = ctx.now();
  const { open, since } = openingAt(company, now);
  if (text === null || open) return;
  const [record] = await lockConversations(ctx, [conversationId]);
  const message = await ctx.db.message.findUnique({
    where: { companyId_id: { companyId: ctx.companyId, id: messageId } },
    select: { at: true },
  });
  if (!record || record.status === 'closed' || !message) return;
  // Of this closed period, and not answered in it yet.
  if (since && message.at < since) return;
  if (record.awaySentAt && (!since || record.awaySentAt >= since)) return;
  await speak(ctx, record, text, (at) => ({ awaySentAt: at }));
}
