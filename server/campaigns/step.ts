import type { Channel as ChannelRow } from '../../prisma/generated/client/client.ts';
import { adapterFor, usableAdapter } from '../channels/registry.ts';
import { findChannel } from '../channels/service.ts';
import type { Context } from '../platform/context.ts';
import type { Services } from '../platform/services.ts';
import { asSystem } from '../platform/system-context.ts';
import { inUnitOfWork, type WorkContext } from '../platform/unit-of-work.ts';
import { freezeAudience, freezeBatch } from './audience.ts';
import { claimRecipients, countUnderWay, failsTooOften } from './claim.ts';
import { postToRecipient } from './post.ts';
import { type CampaignRow, lockCampaign } from './rows.ts';
import { moveCampaign } from './transitions.ts';

/** A claim whose process died before it posted is taken over after this time, in milliseconds. */
const abandonedAfter = 10_000;
const postsAtOnce = 4;

/**
 * Takes one campaign one step further, whatever step that is. Any number of processes may do so at once: each step is a
 * transaction that holds the campaign's row, and a recipient's message is one transaction with their row.
 * @returns whether there may be another step at once
 */
export async function advanceCampaign(app: Services, companyId: string, id: string): Promise<boolean> {
  return asSystem(app, companyId, async (ctx) => {
    const { campaign, contacts, again } = await inUnitOfWork(ctx, (work) => step(work, id));
    const abandoned = await abandonedClaims(ctx, id);
    await postAll(ctx, campaign, [...new Set([...contacts, ...abandoned])]);
    return again;
  });
}

interface Stepped {
  campaign: CampaignRow;
  /** Claimed just now: their messages are to be posted. */
  contacts: string[];
  again: boolean;
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
  return { campaign: started, contacts: [], again: true };
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

async function abandonedClaims(ctx: Context, id: string): Promise<string[]> {
  const rows = await ctx.db.$queryRaw<{ contact: string }[]>`
    SELECT contact_id AS contact FROM campaign_recipients
    WHERE company_id = ${ctx.companyId} AND campaign_id = ${id} AND status = 'claimed' AND message_id IS NULL
      AND claimed_at < clock_timestamp() - make_interval(secs => ${abandonedAfter / 1_000}::float8)
    LIMIT 50`;
  return rows.map(({ contact }) => contact);
}

async function postAll(ctx: Context, campaign: CampaignRow, contacts: string[]): Promise<void> {
  const lane = async (): Promise<void> => {
    for (let contact = contacts.shift(); contact !== undefined; contact = contacts.shift()) {
      const to = contact;
      await inUnitOfWork(ctx, (work) => postToRecipient(work, campaign, to));
    }
  };
  await Promise.all(Array.from({ length: postsAtOnce }, lane));
}
