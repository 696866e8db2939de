import { z } from 'zod';
import { pathId } from '../../schema/common.ts';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { query } from '../platform/operation.ts';
import { campaignTargets, findCampaign } from './rows.ts';

interface Interval {
  start: Date;
  sent: number;
  delivered: number;
  read: number;
  failed: number;
  replied: number;
}

/** Lengths that an interval may have, in seconds: a minute to a day. */
const steps = [60, 300, 900, 3_600, 21_600, 86_400] as const;
/** So many intervals make a chart that can be read. */
const wanted = 60;
const maximum = 400;

/** What became of the messages of a campaign over time, in intervals that suit how long it took. */
export const showCampaignTimeline = query(
  {
    access: 'campaigns.view',
    dashboardOnly: true,
    input: z.object({ campaign: pathId }),
    targets: campaignTargets,
  },
  async (ctx, { campaign }) => {
    const found = await findCampaign(ctx, campaign);
    if (!found) throw notFound();
    const step = await stepOf(ctx, found.id);
    const intervals = await ctx.db.$queryRaw<Interval[]>`
      SELECT date_bin(make_interval(secs => ${step}::float8), moments.at, TIMESTAMPTZ '2000-01-01') AS start,
        count(*) FILTER (WHERE what = 'sent')::int AS sent,
        count(*) FILTER (WHERE what = 'delivered')::int AS delivered,
        count(*) FILTER (WHERE what = 'read')::int AS read,
        count(*) FILTER (WHERE what = 'failed')::int AS failed,
        count(*) FILTER (WHERE what = 'replied')::int AS replied
      FROM campaign_recipients recipients
      CROSS JOIN LATERAL (VALUES ('sent', sent_at), ('delivered', delivered_at), ('read', read_at),
        ('failed', failed_at), ('replied', replied_at)) AS moments (what, at)
      WHERE recipients.company_id = ${ctx.companyId} AND recipients.campaign_id = ${found.id}
        AND moments.at IS NOT NULL
      GROUP BY 1 ORDER BY 1 LIMIT ${maximum}`;
    return { step, intervals };
  },
);

async function stepOf(ctx: Context, campaign: string): Promise<number> {
  const [span] = await ctx.db.$queryRaw<{ seconds: number }[]>`
    SELECT coalesce(extract(epoch FROM max(greatest(sent_at, delivered_at, read_at, failed_at, replied_at))
      - min(least(sent_at, failed_at))), 0)::float8 AS seconds
    FROM campaign_recipients WHERE company_id = ${ctx.companyId} AND campaign_id = ${campaign}`;
  return steps.find((step) => (span?.seconds ?? 0) / step <= wanted) ?? 86_400;
}
