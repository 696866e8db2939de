import { z } from 'zod';
import {
  type CampaignAction,
  CampaignSchedule,
  type CampaignStatus,
  campaignTransitions,
} from '../../schema/campaigns.ts';
import { momentOf, pathId } from '../../schema/common.ts';
import { conflict, invalidField } from '../platform/errors.ts';
import { changedFields } from '../platform/events.ts';
import { mutation } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { presentCampaign, statusOf } from './present.ts';
import { type CampaignRow, campaignTargets, findCampaign, lockCampaign } from './rows.ts';

type Moved = Partial<
  Pick<
    CampaignRow,
    | 'scheduledAt'
    | 'startedAt'
    | 'pausedAt'
    | 'completedAt'
    | 'cancelledAt'
    | 'pauseReason'
    | 'failureReason'
    | 'breakerFrom'
    | 'idleUntil'
  >
>;
type CampaignEvent =
  `campaign.${'scheduled' | 'started' | 'paused' | 'resumed' | 'completed' | 'cancelled' | 'failed'}`;

/** Writes a new status of a locked campaign, with its times, and tells of it. */
export async function moveCampaign(
  ctx: WorkContext,
  before: CampaignRow,
  status: CampaignStatus,
  changes: Moved = {},
  event?: CampaignEvent,
): Promise<CampaignRow> {
  await ctx.db.campaign.update({
    where: { companyId_id: { companyId: ctx.companyId, id: before.id } },
    data: { ...changes, status, version: { increment: 1 }, updatedAt: ctx.now() },
    select: { id: true },
  });
  const after = (await findCampaign(ctx, before.id)) ?? before;
  if (event) {
    const object = presentCampaign(after, ctx.app);
    const previous = changedFields(presentCampaign(before, ctx.app), object);
    delete previous.version;
    delete previous.allowed_actions;
    ctx.emit({ type: event, object, previous });
  }
  return after;
}

/** @throws AppError `conflict` for what the status does not allow */
export function requireAction(row: CampaignRow, action: CampaignAction): void {
  const status = statusOf(row);
  if (!campaignTransitions[status].includes(action))
    throw conflict(`A campaign that is ${status} can’t do that: ${action}.`);
}

const declaration = {
  access: 'campaigns.manage',
  input: z.object({ campaign: pathId }),
  targets: campaignTargets,
} as const;

/** No new recipient is claimed from then on; what was claimed is sent still. */
export const pauseCampaign = mutation(declaration, async (ctx, { campaign }) => {
  const before = await lockCampaign(ctx, campaign);
  if (before.status === 'paused') return before;
  requireAction(before, 'pause');
  const changes = { pausedAt: ctx.now(), pauseReason: 'manual' };
  return moveCampaign(ctx, before, 'paused', changes, 'campaign.paused');
});

/** Back to waiting for its time, or to sending where it was. The error rate counts anew. */
export const resumeCampaign = mutation(declaration, async (ctx, { campaign }) => {
  const before = await lockCampaign(ctx, campaign);
  if (['scheduled', 'queued', 'sending'].includes(before.status)) return before;
  requireAction(before, 'resume');
  const waits = before.scheduledAt !== null && before.scheduledAt > ctx.now();
  const changes = { pausedAt: null, pauseReason: null, breakerFrom: before.claimedTo, idleUntil: null };
  return moveCampaign(ctx, before, waits ? 'scheduled' : 'queued', changes, 'campaign.resumed');
});

/** At once, unless something is being sent: then what was claimed is sent first. */
export const cancelCampaign = mutation(declaration, async (ctx, { campaign }) => {
  const before = await lockCampaign(ctx, campaign);
  if (before.status === 'cancelling' || before.status === 'cancelled') return before;
  requireAction(before, 'cancel');
  // Nothing tells of it until it is cancelled.
  if (before.status === 'sending') return moveCampaign(ctx, before, 'cancelling');
  return moveCampaign(ctx, before, 'cancelled', { cancelledAt: ctx.now() }, 'campaign.cancelled');
});

export const scheduleCampaign = mutation(
  { ...declaration, dashboardOnly: true, input: CampaignSchedule.extend({ campaign: pathId }) },
  async (ctx, { campaign, scheduled_at }) => {
    const before = await lockCampaign(ctx, campaign);
    requireAction(before, 'schedule');
    const scheduledAt = new Date(momentOf(scheduled_at));
    if (scheduledAt <= ctx.now()) throw invalidField('scheduled_at', 'min', 'Must be in the future.');
    return moveCampaign(ctx, before, 'scheduled', { scheduledAt }, 'campaign.scheduled');
  },
);

/** Sends now, or as soon as other campaigns of the channel leave room. */
export const sendCampaign = mutation({ ...declaration, dashboardOnly: true }, async (ctx, { campaign }) => {
  const before = await lockCampaign(ctx, campaign);
  requireAction(before, 'send');
  return moveCampaign(ctx, before, 'queued', { scheduledAt: null });
});
