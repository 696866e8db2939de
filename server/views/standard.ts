import { Prisma } from '../../prisma/generated/client/client.ts';
import { type StandardView, standardViews, viewCountMaximum, type ViewCounts } from '../../schema/views.ts';
import { mutedCondition } from '../conversations/list.ts';
import type { Context } from '../platform/context.ts';

const openHere = Prisma.sql`status = 'open' AND NOT archived`;

/** What the conversations of each view have in common, as a condition on `conversations`; the company is added. */
export function viewCondition(ctx: Context, view: StandardView): Prisma.Sql {
  const user = ctx.principal.user?.id ?? '';
  switch (view) {
    case 'mine':
      return Prisma.sql`assignee_id = ${user} AND ${openHere}`;
    case 'unassigned':
      return Prisma.sql`assignee_id IS NULL AND ${openHere}`;
    case 'open':
      return openHere;
    case 'mentions':
      return Prisma.sql`id IN (SELECT note.conversation_id FROM note_mentions mention
        JOIN notes note ON note.company_id = mention.company_id AND note.id = mention.note_id
        WHERE mention.company_id = ${ctx.companyId} AND mention.user_id = ${user})`;
    case 'followed':
      return Prisma.sql`id IN (SELECT follower.conversation_id FROM conversation_followers follower
        WHERE follower.company_id = ${ctx.companyId} AND follower.user_id = ${user})`;
    case 'muted':
      return mutedCondition(ctx, true);
    case 'archived':
      return Prisma.sql`archived`;
    case 'closed':
      return Prisma.sql`status = 'closed'`;
  }
}

/** One statement; each count stops at `viewCountMaximum`, so that it costs the same however large the company is. */
export async function countViews(ctx: Context): Promise<ViewCounts> {
  const counts = standardViews.map(
    (view) => Prisma.sql`(SELECT count(*)::int FROM (SELECT FROM conversations
      WHERE company_id = ${ctx.companyId} AND ${viewCondition(ctx, view)} LIMIT ${viewCountMaximum}) AS counted)
      AS ${Prisma.raw(view)}`,
  );
  const [row] = await ctx.db.$queryRaw<ViewCounts[]>`SELECT ${Prisma.join(counts)}`;
  if (!row) throw new Error('The counts have no row.');
  return row;
}
