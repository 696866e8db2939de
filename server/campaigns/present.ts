import {
  type Campaign,
  type CampaignStatus,
  campaignTransitions,
  type pauseReasons,
} from '../../schema/campaigns.ts';
import { type Links, mediaUrl, presentMediaRef } from '../media/present.ts';
import type { CampaignRow } from './rows.ts';
import { iso } from '../platform/present.ts';

/** The public record of a campaign. */
export function presentCampaign(row: CampaignRow, links: Links): Campaign {
  const status = statusOf(row);
  return {
    id: row.id,
    name: row.name,
    channel: row.channelKind,
    status,
    template: row.template && { name: row.template.name, language: row.template.language },
    text: row.text,
    media: row.media && presentMediaRef(row.media, links),
    audience: { description: row.audienceDescription, size: row.audienceSize },
    scheduled_at: iso(row.scheduledAt),
    started_at: iso(row.startedAt),
    paused_at: iso(row.pausedAt),
    completed_at: iso(row.completedAt),
    cancelled_at: iso(row.cancelledAt),
    pause_reason: row.pauseReason as (typeof pauseReasons)[number] | null,
    failure_reason: row.failureReason,
    stats: presentStats(row),
    created_by: row.createdBy,
    version: row.version,
    allowed_actions: [...campaignTransitions[status]],
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

export function presentStats(row: CampaignRow): Campaign['stats'] {
  return {
    total: row.total,
    pending: row.pending,
    sent: row.sent,
    delivered: row.delivered,
    read: row.read,
    failed: row.failed,
    skipped: row.skipped,
    replied: row.replied,
    unsubscribed: row.unsubscribed,
    orders: row.orderCount,
    revenue: Number(row.revenue),
  };
}

/** What the dashboard edits. */
export function presentSettings(row: CampaignRow, links: Links) {
  return {
    id: row.id,
    channel: row.channelId,
    template: row.template,
    text: row.text,
    media_url: row.media && mediaUrl(links, row.media),
    audience: row.audience,
    quiet_hours: row.quietHours,
    version: row.version,
  };
}

/** The database allows only these words. */
export function statusOf({ status }: Pick<CampaignRow, 'status'>): CampaignStatus {
  return status as CampaignStatus;
}
