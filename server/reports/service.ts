import { Prisma } from '../../prisma/generated/client/client.ts';
import {
  type AgentRow,
  type CampaignRow,
  type Metric,
  ReportConversationsQuery,
  ReportQuery,
  type Summary,
  type TagRow,
} from '../../schema/reports.ts';
import { readInbox } from '../conversations/list.ts';
import type { Context } from '../platform/context.ts';
import { forbidden } from '../platform/errors.ts';
import { query } from '../platform/operation.ts';
import { casesOf } from './metrics.ts';
import { periodOf } from './period.ts';
import { noCases, reportOf, summariesBy } from './summaries.ts';

const inbox = { access: 'inbox.access', dashboardOnly: true, input: ReportQuery } as const;

/** How many conversations were begun and closed, how many messages came and went. */
export const volumeReport = query(inbox, (ctx, input) =>
  reportOf(ctx, periodOf(ctx, input), ['opened', 'received', 'sent', 'closed']),
);

/** How long customers wait for the first answer. */
export const firstResponseReport = query(inbox, (ctx, input) =>
  reportOf(ctx, periodOf(ctx, input), ['first_response']),
);

/** How long conversations are open. */
export const resolutionReport = query(inbox, (ctx, input) =>
  reportOf(ctx, periodOf(ctx, input), ['resolution']),
);

/** How customers rate, and how often each mark was given. */
export const csatReport = query(inbox, async (ctx, input) => {
  const period = periodOf(ctx, input);
  const rows = await ctx.db.$queryRaw<{ rating: number; count: number }[]>`
    SELECT value::int AS rating, count(*)::int AS count
    FROM (${casesOf(ctx, 'rating', period.range)}) AS cases GROUP BY value`;
  const distribution = [1, 2, 3, 4, 5].map((rating) => ({
    rating,
    count: rows.find((row) => row.rating === rating)?.count ?? 0,
  }));
  return { ...(await reportOf(ctx, period, ['rating'])), distribution };
});

const agentMetrics = ['sent', 'closed', 'first_response', 'resolution', 'rating'] as const;

/** Agents who did anything in the period, by name. An answer is the one's who wrote it, also with a key of theirs. */
export const agentReport = query(inbox, async (ctx, input): Promise<AgentRow[]> => {
  const found = await bySubject(ctx, input, agentMetrics, 'who');
  const agents = await ctx.db.$queryRaw<{ name: string; email: string; key: string }[]>`
    SELECT display_name AS name, email, lower(email) AS key FROM users
    WHERE company_id = ${ctx.companyId} AND lower(email) = ANY(${found.keys}) ORDER BY display_name, id`;
  return agents.map(({ key, ...agent }) => ({ agent, ...found.of(key) }));
});

const tagMetrics = ['opened', 'closed', 'first_response', 'resolution', 'rating'] as const;

/** Tags that conversations of the period carry now, by name. */
export const tagReport = query(inbox, async (ctx, input): Promise<TagRow[]> => {
  const found = await bySubject(ctx, input, tagMetrics, 'tag');
  const tags = await ctx.db.tag.findMany({
    where: { companyId: ctx.companyId, id: { in: found.keys } },
    select: { id: true, name: true, color: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
  return tags.map((tag) => ({ tag, ...found.of(tag.id) }));
});

/** What campaigns brought in, the most first. */
export const campaignReport = query(
  { access: 'campaigns.view', dashboardOnly: true, input: ReportQuery },
  async (ctx, input): Promise<CampaignRow[]> => {
    const { range, previous } = periodOf(ctx, input);
    const { currency } = ctx.principal.company;
    const cases = casesOf(ctx, 'campaign_orders', { from: previous.range.from, to: range.to });
    const rows = await ctx.db.$queryRaw<
      {
        id: string;
        name: string;
        orders: number;
        revenue: number;
        orders_before: number;
        revenue_before: number;
      }[]
    >`
      SELECT campaigns.id, campaigns.name, counted.* FROM (
        SELECT about,
          count(*) FILTER (WHERE at >= ${range.from})::int AS orders,
          coalesce(sum(value) FILTER (WHERE at >= ${range.from}), 0) AS revenue,
          count(*) FILTER (WHERE at < ${range.from})::int AS orders_before,
          coalesce(sum(value) FILTER (WHERE at < ${range.from}), 0) AS revenue_before
        FROM (${cases}) AS cases GROUP BY about) AS counted
      JOIN campaigns ON campaigns.company_id = ${ctx.companyId} AND campaigns.id = counted.about
      ORDER BY revenue DESC, orders DESC, campaigns.id`;
    return rows.map(({ id, name, orders, revenue, orders_before, revenue_before }) => ({
      campaign: { id, name },
      orders,
      revenue,
      previous_orders: orders_before,
      previous_revenue: revenue_before,
      currency,
    }));
  },
);

/** The conversations behind a figure, newest activity first. */
export const reportConversations = query(
  { access: 'inbox.access', dashboardOnly: true, input: ReportConversationsQuery },
  (ctx, input) => {
    const { metric, agent, tag, rating, campaign, from, to, ...page } = input;
    if (metric === 'campaign_orders' && !ctx.principal.grants.has('campaigns.view')) throw forbidden();
    const { range } = periodOf(ctx, { from, to });
    const narrowed = [
      ...(agent === undefined ? [] : [Prisma.sql`who = ${agent.toLowerCase()}`]),
      ...(rating === undefined ? [] : [Prisma.sql`value = ${rating}`]),
      ...(campaign === undefined ? [] : [Prisma.sql`about = ${campaign}`]),
    ];
    const behind = Prisma.sql`id IN (SELECT conversation_id FROM (${casesOf(ctx, metric, range)}) AS cases
      ${narrowed.length === 0 ? Prisma.empty : Prisma.sql`WHERE ${Prisma.join(narrowed, ' AND ')}`})`;
    const tagged = tag === undefined ? [] : [Prisma.sql`tag_ids @> ARRAY[${tag}]`];
    return readInbox(ctx, { ...page, ...bound(input) }, { more: [behind, ...tagged] });
  },
);

/** What the cursor is bound to, beside the filters that the inbox has itself. */
function bound({ metric, from, to, agent, tag, rating, campaign }: ReportConversationsQuery): object {
  return { report: [metric, from, to, agent, tag, rating, campaign].join(' ') };
}

/** A summary of each metric for each agent or tag that has cases of any. */
async function bySubject<M extends Metric>(
  ctx: Context,
  input: ReportQuery,
  wanted: readonly M[],
  by: 'who' | 'tag',
): Promise<{ keys: string[]; of(key: string): Record<M, Summary> }> {
  const period = periodOf(ctx, input);
  const found = new Map<M, Map<string, Summary>>();
  for (const metric of wanted) found.set(metric, await summariesBy(ctx, period, metric, by));
  return {
    keys: [...new Set([...found.values()].flatMap((one) => [...one.keys()]))],
    of: (key) =>
      Object.fromEntries(wanted.map((metric) => [metric, found.get(metric)?.get(key) ?? noCases])) as Record<
        M,
        Summary
      >,
  };
}
