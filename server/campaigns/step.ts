import type { Channel as ChannelRow } from '../../prisma/generated/client/client.ts';
import { adapterFor, usableAdapter } from '../channels/registry.ts';
import { findChannel } from '../channels/service.ts';
import type { Context } from '../platform/context.ts';
import type { Services } from '../platform/services.ts';
import { asSystem } from '../platform/system-context.ts';
import { acrossTenants } from '../platform/tenancy.ts';
import { together } from '../platform/together.ts';
import { inUnitOfWork, type WorkContext } from '../platform/unit-of-work.ts';
import { freezeAudience, freezeBatch } from './audience.ts';
import { claimRecipients, countUnderWay, failsTooOften } from './claim.ts';
import { postToRecipients } from './post.ts';
import { type CampaignRow, lockCampaign } from './rows.ts';
import { moveCampaign } from './transitions.ts';

/** A claim whose process died before it posted is taken over after this time, in milliseconds. */
const abandonedAfter = 10_000;
/** From so many recipients on it matters how they are read. */
const many = 1_000;

/** When there may be another step: at once, when the provider takes more, or not before something happens. */
export type Pace = 'now' | 'soon' | 'later';

/**
 * Takes one campaign one step further, whatever step that is. Any number of processes may do so at once: each step is a
 * transaction that holds the campaign's row, and recipients' messages are in one transaction with their rows.
 */
export async function advanceCampaign(app: Services, companyId: string, id: string): Promise<Pace> {
  return asSystem(app, companyId, async (ctx) => {
    const { campaign, contacts, again, frozen } = await inUnitOfWork(ctx, (work) => step(work, id));
    if (frozen && campaign.total >= many) await tellPlanner(ctx);
    const abandoned = await abandonedClaims(ctx, id);
    await together([...new Set([...contacts, ...abandoned])], (some) =>
      inUnitOfWork(ctx, (work) => postToRecipients(work, campaign, some)),
    );
    if (contacts.length > 0) return 'now';
    return again ? 'soon' : 'later';
  });
}

interface Stepped {
  campaign: CampaignRow;
  /** Claimed just now: their messages are to be posted. */
  contacts: string[];
  again: boolean;
  /** Its audience has just become recipients. */
  frozen?: boolean;
}

async function step(ctx: WorkContext, id: string): Promise<Stepped> {
  const campaign = await lockCampaign(ctx, id);
  const channel = await findChannel(ctx, campaign.channelId);
  switch (campaign.status) {
    case 'scheduled':
      return start(ctx, campaign);
    case 'queued':
      return queued(ctx, campaign, channel);
    case 'sending':
      return sending(ctx, campaign, channel);
    case 'cancelling':
      return cancelling(ctx, campaign);
    default:
      return { campaign, contacts: [], again: false };
  }
}

async function start(ctx: WorkContext, campaign: CampaignRow): Promise<Stepped> {
  const due = campaign.scheduledAt !== null && campaign.scheduledAt <= ctx.now();
  return {
    campaign: due ? await moveCampaign(ctx, campaign, 'queued') : campaign,
    contacts: [],
    again: due,
  };
}

/** Freezes the audience part by part; with the last part it is sending. */
async function queued(ctx: WorkContext, campaign: CampaignRow, channel: ChannelRow | null): Promise<Stepped> {
  // One that has begun is not lost when it is resumed too early: as sending, it is paused again.
  const usable = channel && (campaign.startedAt ? adapterFor(channel.kind) : usableAdapter(channel));
  if (!usable) {
    const failureReason = 'The channel can’t be used.';
    const failed = await moveCampaign(ctx, campaign, 'failed', { failureReason }, 'campaign.failed');
    return { campaign: failed, contacts: [], again: false };
  }
  if (campaign.startedAt)
    return { campaign: await moveCampaign(ctx, campaign, 'sending'), contacts: [], again: true };
  const { contacts } = await freezeAudience(ctx, campaign, channel);
  if (contacts === freezeBatch) return { campaign, contacts: [], again: true };
  const changes = { startedAt: ctx.now() };
  const started = await moveCampaign(ctx, campaign, 'sending', changes, 'campaign.started');
  return { campaign: started, contacts: [], again: true, frozen: true };
}

async function sending(
  ctx: WorkContext,
  campaign: CampaignRow,
  channel: ChannelRow | null,
): Promise<Stepped> {
  const stop = async (pauseReason: 'channel_down' | 'error_rate'): Promise<Stepped> => ({
    campaign: await moveCampaign(
      ctx,
      campaign,
      'paused',
      { pausedAt: ctx.now(), pauseReason },
      'campaign.paused',
    ),
    contacts: [],
    again: false,
  });
  if (campaign.pending === 0) {
    const changes = { completedAt: ctx.now() };
    const completed = await moveCampaign(ctx, campaign, 'completed', changes, 'campaign.completed');
    return { campaign: completed, contacts: [], again: false };
  }
  if (!channel || !usableAdapter(channel)) return stop('channel_down');
  if (campaign.idleUntil && campaign.idleUntil > ctx.now()) return { campaign, contacts: [], again: false };
  if (await failsTooOften(ctx, campaign)) return stop('error_rate');
  const { contacts, next } = await claimRecipients(ctx, campaign, channel);
  const idleUntil = contacts.length === 0 && next && next > ctx.now() ? next : null;
  if (idleUntil?.getTime() !== campaign.idleUntil?.getTime()) {
    await ctx.db.campaign.update({
      where: { companyId_id: { companyId: ctx.companyId, id: campaign.id } },
      data: { idleUntil },
      select: { id: true },
    });
  }
  return { campaign, contacts, again: contacts.length > 0 || (next !== null && next <= ctx.now()) };
}

/** What was claimed is sent first; then it is cancelled. */
async function cancelling(ctx: WorkContext, campaign: CampaignRow): Promise<Stepped> {
  if ((await countUnderWay(ctx, campaign)) > 0) return { campaign, contacts: [], again: false };
  const changes = { cancelledAt: ctx.now() };
  const cancelled = await moveCampaign(ctx, campaign, 'cancelled', changes, 'campaign.cancelled');
  return { campaign: cancelled, contacts: [], again: false };
}

/**
 * Of rows that have just come PostgreSQL knows nothing until it looks by itself, within some minutes: until then it
 * reads all recipients for each that it is asked for.
 */
async function tellPlanner({ app, log }: Context): Promise<void> {
  try {
    await acrossTenants(() => app.pool.query('ANALYZE campaign_recipients'));
  } catch (error) {
    log.warn({ err: error }, 'recipients of a campaign not analysed');
  }
}

async function abandonedClaims(ctx: Context, id: string): Promise<string[]> {
  const rows = await ctx.db.$queryRaw<{ contact: string }[]>`
    SELECT contact_id AS contact FROM campaign_recipients
    WHERE company_id = ${ctx.companyId} AND campaign_id = ${id} AND status = 'claimed' AND message_id IS NULL
      AND claimed_at < clock_timestamp() - make_interval(secs => ${abandonedAfter / 1_000}::float8)
    LIMIT 50`;
  return rows.map(({ contact }) => contact);
}
