import type { WorkContext } from '../platform/unit-of-work.ts';
import type { ConversationRecord } from './record.ts';
import { waiting } from './waiting.ts';

/** A closed thread needs no advice: its pending suggestions expire (decisions §11). */
export async function expireSuggestions(
  ctx: WorkContext,
  records: readonly ConversationRecord[],
): Promise<void> {
  const ids = records.filter((record) => record.pendingSuggestions > 0).map((record) => record.id);
  if (ids.length === 0) return;
  await ctx.db.$executeRaw`
    UPDATE ai_suggestions SET status = 'EXPIRED', status_at = ${ctx.now()}
    WHERE company_id = ${ctx.companyId} AND conversation_id = ANY(${ids}) AND status = 'pending'`;
}

/** Whoever sends AI's held replies at once stands up for them, in the ledger. @param conversation a locked one */
export async function approveReplies(ctx: WorkContext, conversation: ConversationRecord): Promise<void> {
  const userId = ctx.principal.user?.id;
  if (userId === undefined || conversation.heldCount === 0) return;
  await ctx.db.$executeRaw`
    UPDATE ai_ledger SET approved_by_id = ${userId} FROM messages
    WHERE messages.company_id = ${ctx.companyId} AND messages.conversation_id = ${conversation.id}
      AND messages.status = 'held' AND ${waiting} AND messages.held_origin = 'ai'
      AND ai_ledger.company_id = messages.company_id AND ai_ledger.message_id = messages.id`;
}
