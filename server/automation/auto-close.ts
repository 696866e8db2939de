import { close } from '../conversations/lifecycle.ts';
import { lockConversations } from '../conversations/thread.ts';
import type { Context } from '../platform/context.ts';
import { inUnitOfWork } from '../platform/unit-of-work.ts';

const batch = 100;
const day = 86_400_000;

/** Closes conversations whose customer has left our last message unanswered for so many days. */
export async function closeIdle(ctx: Context, days: number): Promise<number> {
  const before = new Date(ctx.now().getTime() - days * day);
  let closed = 0;
  for (;;) {
    const rows = await ctx.db.$queryRaw<{ id: string }[]>`
      SELECT id FROM conversations
      WHERE company_id = ${ctx.companyId} AND status = 'open' AND last_message_at < ${before}
        AND waiting_since IS NULL AND held_count = 0 AND last_message->>'direction' = 'outbound'
      ORDER BY last_message_at LIMIT ${batch}`;
    if (rows.length === 0) return closed;
    const done = await inUnitOfWork(ctx, async (work) => {
      const records = await lockConversations(
        work,
        rows.map(({ id }) => id),
      );
      // The customer may have answered between the list and the lock.
      const idle = records.filter(
        ({ lastMessageAt, waitingSince }) => lastMessageAt < before && !waitingSince,
      );
      return close(work, idle);
    });
    closed += done.length;
    if (done.length === 0) return closed;
  }
}
