import {
  CampaignBody,
  CampaignPage,
  CampaignPreviewBody,
  CampaignSettingsBody,
  CampaignTimelineBody,
  RecipientPage,
} from '../../schema/campaigns.ts';
import type { Context } from '../platform/context.ts';
import { presentPage } from '../platform/present.ts';
import { procedure, router } from '../platform/trpc.ts';
import { listCampaigns } from './list.ts';
import { presentCampaign, presentSettings } from './present.ts';
import { listRecipients, presentRecipient } from './recipients.ts';
import type { CampaignRow } from './rows.ts';
import { createCampaign, previewCampaign, showCampaign, updateCampaign } from './service.ts';
import { showCampaignTimeline } from './timeline.ts';
import {
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
  scheduleCampaign,
  sendCampaign,
} from './transitions.ts';

const tag = 'Campaigns';
const output = CampaignBody;
const present = (row: CampaignRow, { app }: Context) => ({ data: presentCampaign(row, app) });
const many = presentPage((row: CampaignRow, { app }: Context) => presentCampaign(row, app));

export const campaignsRouter = router({
  list: procedure(listCampaigns, {
    output: CampaignPage,
    present: many,
    rest: { method: 'GET', path: '/campaigns', tag, summary: 'List campaigns', description: 'Newest first.' },
  }),
  show: procedure(showCampaign, {
    output,
    present,
    rest: {
      method: 'GET',
      path: '/campaigns/{campaign}',
      tag,
      summary: 'Show a campaign',
      description: 'With its figures so far.',
    },
  }),
  pause: procedure(pauseCampaign, {
    output,
    present,
    rest: {
      method: 'POST',
      path: '/campaigns/{campaign}/pause',
      tag,
      summary: 'Pause a campaign',
      description:
        'What was claimed is sent still, so figures may move for some seconds. One that is paused already is no change; a draft, or one that has ended, is 409.',
      conflicts: true,
    },
  }),
  resume: procedure(resumeCampaign, {
    output,
    present,
    rest: {
      method: 'POST',
      path: '/campaigns/{campaign}/resume',
      tag,
      summary: 'Resume a campaign',
      description:
        'Back to `scheduled` when its time is ahead, else to `queued`. One that is not paused and has not ended is no change; a draft, or one that has ended, is 409.',
      conflicts: true,
    },
  }),
  cancel: procedure(cancelCampaign, {
    output,
    present,
    rest: {
      method: 'POST',
      path: '/campaigns/{campaign}/cancel',
      tag,
      summary: 'Cancel a campaign',
      description:
        'For good. One that is sending is `cancelling` until what was claimed is sent. One that is cancelled already is no change; one that is completed or failed is 409.',
      conflicts: true,
    },
  }),
  create: procedure(createCampaign, { output, present }),
  update: procedure(updateCampaign, { output, present }),
  schedule: procedure(scheduleCampaign, { output, present }),
  send: procedure(sendCampaign, { output, present }),
  settings: procedure(showCampaign, {
    output: CampaignSettingsBody,
    present: (row, { app }: Context) => ({ data: presentSettings(row, app) }),
  }),
  preview: procedure(previewCampaign, { output: CampaignPreviewBody, present: (data) => ({ data }) }),
  recipients: procedure(listRecipients, { output: RecipientPage, present: presentPage(presentRecipient) }),
  timeline: procedure(showCampaignTimeline, {
    output: CampaignTimelineBody,
    present: ({ step, intervals }) => ({
      data: { step, intervals: intervals.map((one) => ({ ...one, start: one.start.toISOString() })) },
    }),
  }),
});
