import type { CampaignStatus } from '../../../schema/campaigns.ts';
import type { Tone } from '../app/status.tsx';
import { dateFormat } from '../language/formats.ts';

export const campaignTone: Record<CampaignStatus, Tone> = {
  draft: 'neutral',
  scheduled: 'info',
  queued: 'info',
  sending: 'info',
  paused: 'warning',
  cancelling: 'warning',
  cancelled: 'neutral',
  completed: 'good',
  failed: 'bad',
};

const moving: ReadonlySet<CampaignStatus> = new Set(['queued', 'sending', 'cancelling']);

/** How often a campaign is read again, in milliseconds: only while its figures move. */
export function pace(status: CampaignStatus | undefined): number | false {
  return status !== undefined && moving.has(status) ? 1_000 : false;
}

/** A moment with its zone, for plans. */
export function planned(at: string): string {
  return plan.format(new Date(at));
}

const plan = dateFormat({
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});
