import { z } from 'zod';
import { Prisma, type AiFeedback as FeedbackRow } from '../../prisma/generated/client/client.ts';
import { AiRate } from '../../schema/ai-feedback.ts';
import { pathId } from '../../schema/common.ts';
import { conversationPath } from '../conversations/action.ts';
import { announceMessages } from '../conversations/announcements.ts';
import { conversationExists, conversationTargets } from '../conversations/record.ts';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { isId } from '../platform/ids.ts';
import { mutation, query } from '../platform/operation.ts';
import { columns } from '../platform/pagination.ts';

const feedbackMaximum = 1_000;

/** A row for each message that AI wrote, in the order in which they were sent; the newest 1,000. */
export const listFeedback = query(
  { access: 'inbox.access', input: z.object(conversationPath), targets: conversationTargets },
  async (ctx, { conversation }) => {
    if (!(await conversationExists(ctx, conversation))) throw notFound();
    // Bound by message id: what a body says, and who else said it, makes no difference.
    const rows = await ctx.db.$queryRaw<FeedbackRow[]>`
      SELECT ${columns(Prisma.AiFeedbackScalarFieldEnum, 'feedback')}
      FROM messages JOIN ai_feedback feedback ON feedback.company_id = ${ctx.companyId}
        AND feedback.message_id = messages.id
      WHERE messages.company_id = ${ctx.companyId} AND messages.conversation_id = ${conversation}
        AND messages.status <> 'cancelled'
      ORDER BY messages.at DESC LIMIT ${feedbackMaximum}`;
    return rows.reverse();
  },
);

const feedbackTargets = {
  feedback: async (ctx: Context, id: string) =>
    (await ctx.db.aiFeedback.findFirst({ where: { companyId: ctx.companyId, id }, select: { id: true } })) !==
    null,
};

interface Rated {
  rating: number | null;
  messageId: string;
  conversationId: string;
  status: string;
  at: Date;
}

/** Rates one AI message for the company; the last one who rates wins. The same rating again takes it back. */
export const rateFeedback = mutation(
  { access: 'inbox.access', input: AiRate.extend({ feedback: pathId }), targets: feedbackTargets },
  async (ctx, { feedback, rating }) => {
    const given = Number(rating);
    const [rated] = isId(feedback)
      ? await ctx.db.$queryRaw<Rated[]>`
          UPDATE ai_feedback SET rating = CASE WHEN rating = ${given} THEN NULL ELSE ${given}::int END,
            rated_by_id = ${ctx.principal.user?.id ?? null}, rated_at = ${ctx.now()}
          FROM messages
          WHERE ai_feedback.company_id = ${ctx.companyId} AND ai_feedback.id = ${feedback}
            AND messages.company_id = ai_feedback.company_id AND messages.id = ai_feedback.message_id
          RETURNING rating, message_id AS "messageId", conversation_id AS "conversationId", messages.status, messages.at`
      : [];
    if (!rated) throw notFound();
    const { messageId: id, conversationId, status, at } = rated;
    announceMessages(ctx, 'message.updated', [{ id, conversationId, status, at }]);
    return rated;
  },
);
