import { askForAssignment } from '../account/auto-assign.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { authorOf } from './authors.ts';
import type { ConversationRecord } from './record.ts';

/**
 * What closing sets in motion: its agents have room for others, and customers who wrote are asked for a rating when a
 * person, or a program for one, has closed. Whether a channel asks is looked up when the message is due.
 * @param closed as they were before
 */
export async function afterClose(
  ctx: WorkContext,
  closed: readonly ConversationRecord[],
  closedAt: Date,
): Promise<void> {
  if (closed.some(({ assigneeId }) => assigneeId !== null)) await askForAssignment(ctx);
  const { type } = authorOf(ctx);
  if (type !== 'agent' && type !== 'api') return;
  const { companyId } = ctx;
  const { ratingRequest } = await ctx.db.company.findUniqueOrThrow({
    where: { id: companyId },
    select: { ratingRequest: true },
  });
  if (!ratingRequest) return;
  await ctx.enqueueAll(
    'automation.rating',
    closed
      .filter(({ lastInboundAt }) => lastInboundAt !== null)
      .map(({ id: conversationId }) => ({ companyId, conversationId, closedAt: closedAt.toISOString() })),
  );
}
