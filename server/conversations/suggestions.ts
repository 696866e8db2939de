import type { WorkContext } from '../platform/unit-of-work.ts';
import type { ConversationRecord } from './record.ts';

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
