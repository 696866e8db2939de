import { Prisma } from '../../prisma/generated/client/client.ts';
import { type Figure, type Metric, metrics, type Report, type Summary } from '../../schema/reports.ts';
import type { Context } from '../platform/context.ts';
import { casesOf } from './metrics.ts';
import { type Period, startsOf } from './period.ts';

export const noCases: Summary = { count: 0, median: null, p90: null, average: null };

const summary = Prisma.sql`count(*)::int AS count,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY value) AS median,
  percentile_cont(0.9) WITHIN GROUP (ORDER BY value) AS p90,
  avg(value) AS average`;

interface Part extends Summary {
  current: boolean;
  /** First day of a part; null for the whole. */
  start: string | null;
}

/** The figures of a report: each for the whole period, the one before, and every part. One statement a metric. */
export async function reportOf(ctx: Context, period: Period, wanted: readonly Metric[]): Promise<Report> {
  const figures: Figure[] = [];
  for (const metric of wanted) figures.push(await figureOf(ctx, period, metric));
  const { from, to, group, timezone, previous } = period;
  return {
    period: { from, to, group, timezone },
    previous: { from: previous.from, to: previous.to },
    figures,
  };
}

async function figureOf(ctx: Context, period: Period, metric: Metric): Promise<Figure> {
  const { group, timezone, range, previous } = period;
  const parts = await ctx.db.$queryRaw<Part[]>`
    SELECT current, start, ${summary}
    FROM (SELECT at >= ${range.from} AS current, value,
        to_char(date_trunc(${group}, at AT TIME ZONE ${timezone}), 'YYYY-MM-DD') AS start
      FROM (${casesOf(ctx, metric, { from: previous.range.from, to: range.to })}) AS cases) AS placed
    GROUP BY GROUPING SETS ((current), (current, start))`;
  const find = (current: boolean, start: string | null) => {
    const found = parts.find((part) => part.current === current && part.start === start);
    return found ? summaryOf(found) : noCases;
  };
  const { unit, text } = metrics[metric];
  return {
    metric,
    unit,
    definition: text,
    total: find(true, null),
    previous: find(false, null),
    series: startsOf(period).map((start) => ({ start, summary: find(true, start) })),
  };
}

/** One row for each agent or tag that has cases, by its key. */
export async function summariesBy(
  ctx: Context,
  { range }: Period,
  metric: Metric,
  by: 'who' | 'tag',
): Promise<Map<string, Summary>> {
  const cases = Prisma.sql`(${casesOf(ctx, metric, range)}) AS cases`;
  const source =
    by === 'who'
      ? Prisma.sql`(SELECT who AS key, value FROM ${cases} WHERE who IS NOT NULL) AS keyed`
      : Prisma.sql`(SELECT tagged.tag_id AS key, value FROM ${cases}
          JOIN conversation_tags tagged ON tagged.company_id = ${ctx.companyId}
            AND tagged.conversation_id = cases.conversation_id) AS keyed`;
  const rows = await ctx.db.$queryRaw<(Summary & { key: string })[]>`
    SELECT key, ${summary} FROM ${source} GROUP BY key`;
  return new Map(rows.map(({ key, ...row }) => [key, summaryOf(row)]));
}

function summaryOf({ count, median, p90, average }: Summary): Summary {
  return { count, median, p90, average };
}
