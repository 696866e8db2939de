import { type AiLedger as LedgerRow, Prisma } from '../../prisma/generated/client/client.ts';
import { AiCallListQuery } from '../../schema/ai-calls.ts';
import { query } from '../platform/operation.ts';
import { columns, newestFirst, readPage } from '../platform/pagination.ts';

/** A call with who approved it and how its reply was rated. */
export interface CallRecord extends LedgerRow {
  approverName: string | null;
  approverEmail: string | null;
  feedbackId: string | null;
  rating: number | null;
}

const select = Prisma.sql`SELECT ${columns(Prisma.AiLedgerScalarFieldEnum)} FROM ai_ledger`;

/** Every call of a provider, newest first: what it cost, what came of it, who stood up for it, how it was found. */
export const listAiCalls = query({ access: 'admin', input: AiCallListQuery }, (ctx, input) => {
  const wanted = Object.entries({
    conversation_id: input.conversation,
    purpose: input.purpose,
    outcome: input.outcome,
  }).filter(([, value]) => value !== undefined);
  return readPage<CallRecord>(ctx, {
    list: 'ai_calls',
    select,
    where: wanted.map(([column, value]) => Prisma.sql`${Prisma.raw(column)} = ${value}`),
    filters: input,
    sort: newestFirst,
    limit: input.limit,
    cursor: input.cursor,
    around: (rows) => Prisma.sql`
      SELECT page.*, users.display_name AS "approverName", users.email AS "approverEmail",
        feedback.id AS "feedbackId", feedback.rating
      FROM (${rows}) AS page
      LEFT JOIN users ON users.company_id = ${ctx.companyId} AND users.id = page."approvedById"
      LEFT JOIN ai_feedback feedback ON feedback.company_id = ${ctx.companyId}
        AND feedback.message_id = page."messageId"
      ORDER BY page."createdAt" DESC, page.id DESC`,
  });
});
