import type { Channel as ChannelRow } from '../../prisma/generated/client/client.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { allowedAt, zonesOf } from './quiet-hours.ts';
import type { CampaignRow } from './rows.ts';

const figures = {
  /** Recipients claimed at once. */
  batch: 50,
  /** Claimed, and not yet with the provider: so much may still go out after a pause. */
  underWay: 200,
  /** Those looked at, while it is night for some. */
  looked: 200,
  /** Failures are counted among so many attempts, from so many on. */
  window: 100,
  attempts: 50,
  /** A higher share of failures pauses the campaign. */
  failures: 0.3,
  /** Positions that may hold the last attempts: some were skipped or wait for the day. */
  span: 400,
  /** Waiting for the day longer than this after the start is given up, in milliseconds. */
  patience: 72 * 3_600_000,
} as const;

interface Candidate {
  contactId: string;
  position: number;
  country: string | null;
  phone: string | null;
  timezone: string | null;
}

export interface Claimed {
  contacts: string[];
  /** When there may be more to claim, now while the provider takes no more; null when everybody has had their turn. */
  next: Date | null;
}

/**
 * Claims the next recipients of a locked campaign that is sending: at most 50, no more than the channel may send in the
 * next second, over all campaigns and processes, and none while 200 are under way.
 */
export async function claimRecipients(
  ctx: WorkContext,
  campaign: CampaignRow,
  channel: ChannelRow,
): Promise<Claimed> {
  const now = ctx.now();
  const room = await roomOf(ctx, channel);
  if (room.count === 0) return { contacts: [], next: room.next };
  const free = figures.underWay - (await countUnderWay(ctx, campaign));
  if (free <= 0) return { contacts: [], next: now };
  const candidates = await ctx.db.$queryRaw<Candidate[]>`
    SELECT r.contact_id AS "contactId", r.position, contacts.country, contacts.phone, contacts.timezone
    FROM campaign_recipients r
    JOIN contacts ON contacts.company_id = r.company_id AND contacts.id = r.contact_id
    WHERE r.company_id = ${ctx.companyId} AND r.campaign_id = ${campaign.id} AND r.status = 'pending'
      AND r.contact_id IN (
        (SELECT contact_id FROM campaign_recipients
          WHERE company_id = ${ctx.companyId} AND campaign_id = ${campaign.id} AND status = 'pending'
            AND not_before <= ${now} ORDER BY not_before LIMIT ${figures.looked})
        UNION ALL
        (SELECT contact_id FROM campaign_recipients
          WHERE company_id = ${ctx.companyId} AND campaign_id = ${campaign.id} AND status = 'pending'
            AND not_before IS NULL ORDER BY position LIMIT ${figures.looked}))
    ORDER BY r.position LIMIT ${figures.looked} FOR UPDATE OF r SKIP LOCKED`;
  if (candidates.length === 0) return { contacts: [], next: await nextTurn(ctx, campaign) };
  const { allowed, deferred } = partition(ctx, campaign, candidates, now);
  await defer(ctx, campaign, deferred);
  const chosen = allowed.slice(0, Math.min(room.count, free));
  if (chosen.length > 0) {
    await ctx.db.$executeRaw`
      UPDATE campaign_recipients SET status = 'claimed', claimed_at = clock_timestamp()
      WHERE company_id = ${ctx.companyId} AND campaign_id = ${campaign.id}
        AND contact_id = ANY(${chosen.map(({ contactId }) => contactId)})`;
    const reached = Math.max(campaign.claimedTo, ...chosen.map(({ position }) => position));
    await ctx.db.$executeRaw`
      UPDATE campaigns SET claimed_to = ${reached} WHERE company_id = ${ctx.companyId} AND id = ${campaign.id}`;
    await useRoom(ctx, channel, chosen.length);
  }
  return { contacts: chosen.map(({ contactId }) => contactId), next: now };
}

/** Recipients who were claimed, and whose message is not yet with the provider. */
export async function countUnderWay(ctx: WorkContext, { id }: CampaignRow): Promise<number> {
  const [counted] = await ctx.db.$queryRaw<{ n: number }[]>`
    SELECT count(*)::int AS n FROM campaign_recipients
    WHERE company_id = ${ctx.companyId} AND campaign_id = ${id} AND status = 'claimed'`;
  return counted?.n ?? 0;
}

/** The channel's row is the meter: whoever claims waits for it, and leaves when its rate is used up until. */
async function roomOf(ctx: WorkContext, channel: ChannelRow): Promise<{ count: number; next: Date }> {
  const [meter] = await ctx.db.$queryRaw<{ ahead: number }[]>`
    SELECT greatest(extract(epoch FROM campaign_paced_until - clock_timestamp()), 0)::float8 AS ahead
    FROM channels WHERE company_id = ${ctx.companyId} AND id = ${channel.id} FOR NO KEY UPDATE`;
  const ahead = meter?.ahead ?? 0;
  const count = Math.min(figures.batch, Math.floor((1 - ahead) * channel.campaignRate));
  const wait = Math.max((ahead - 1 + 1 / channel.campaignRate) * 1_000, 50);
  return { count: Math.max(count, 0), next: new Date(ctx.now().getTime() + wait) };
}

async function useRoom(ctx: WorkContext, channel: ChannelRow, count: number): Promise<void> {
  await ctx.db.$executeRaw`
    UPDATE channels SET campaign_paced_until = greatest(coalesce(campaign_paced_until, clock_timestamp()), clock_timestamp())
      + make_interval(secs => ${count / channel.campaignRate}::float8)
    WHERE company_id = ${ctx.companyId} AND id = ${channel.id}`;
}

interface Deferred {
  contact: string;
  until: Date | null;
}

function partition(ctx: WorkContext, campaign: CampaignRow, candidates: readonly Candidate[], now: Date) {
  const { quietHours, startedAt } = campaign;
  if (!quietHours) return { allowed: candidates, deferred: [] };
  const allowed: Candidate[] = [];
  const deferred: Deferred[] = [];
  const last = (startedAt ?? now).getTime() + figures.patience;
  // Neighbours share their night: it is looked up once.
  const nights = new Map<string, Date | null>();
  for (const candidate of candidates) {
    const zones = zonesOf(candidate, ctx.principal.company.timezone);
    const key = zones.join();
    if (!nights.has(key)) nights.set(key, allowedAt(quietHours, zones, now));
    const at = nights.get(key) ?? null;
    if (at && at <= now) allowed.push(candidate);
    else deferred.push({ contact: candidate.contactId, until: at && at.getTime() <= last ? at : null });
  }
  return { allowed, deferred };
}

/** Those for whom it is night wait for the day, or are skipped when there is none. */
async function defer(ctx: WorkContext, campaign: CampaignRow, deferred: readonly Deferred[]): Promise<void> {
  if (deferred.length === 0) return;
  await ctx.db.$executeRaw`
    UPDATE campaign_recipients r SET not_before = given.until,
      status = CASE WHEN given.until IS NULL THEN 'skipped' ELSE 'pending' END,
      skip_reason = CASE WHEN given.until IS NULL THEN 'quiet_hours_expired' END
    FROM json_to_recordset(${JSON.stringify(deferred)}::json) AS given (contact text, until timestamptz)
    WHERE r.company_id = ${ctx.companyId} AND r.campaign_id = ${campaign.id} AND r.contact_id = given.contact`;
  const skipped = deferred.filter(({ until }) => until === null).length;
  if (skipped === 0) return;
  await ctx.db.$executeRaw`
    UPDATE campaigns SET pending = pending - ${skipped}::int, skipped = skipped + ${skipped}::int
    WHERE company_id = ${ctx.companyId} AND id = ${campaign.id}`;
}

/** When the night ends for the first of those who wait for it. */
async function nextTurn(ctx: WorkContext, campaign: CampaignRow): Promise<Date | null> {
  const [first] = await ctx.db.$queryRaw<{ at: Date | null }[]>`
    SELECT min(not_before) AS at FROM campaign_recipients
    WHERE company_id = ${ctx.companyId} AND campaign_id = ${campaign.id} AND status = 'pending'`;
  return first?.at ?? null;
}

/** Whether more than 30 % of the last 100 attempts failed, once there were 50 since it was resumed last. */
export async function failsTooOften(ctx: WorkContext, campaign: CampaignRow): Promise<boolean> {
  const from = Math.max(campaign.breakerFrom, campaign.claimedTo - figures.span);
  const [seen] = await ctx.db.$queryRaw<{ attempts: number; failures: number }[]>`
    SELECT count(*)::int AS attempts, (count(*) FILTER (WHERE status = 'failed'))::int AS failures FROM (
      SELECT status FROM campaign_recipients
      WHERE company_id = ${ctx.companyId} AND campaign_id = ${campaign.id}
        AND position > ${from} AND position <= ${campaign.claimedTo}
        AND status IN ('sent', 'delivered', 'read', 'failed')
      ORDER BY position DESC LIMIT ${figures.window}) AS latest`;
  return !!seen && seen.attempts >= figures.attempts && seen.failures > seen.attempts * figures.failures;
}
