import { campaignTransitions } from '../../schema/campaigns.ts';
import { Media } from '../media/graphql.ts';
import { presentMediaRef } from '../media/present.ts';
import { firstArg, mutationField, pageField, queryField, takeFirst } from '../platform/graphql-fields.ts';
import { builder } from '../platform/graphql.ts';
import type { Mutation } from '../platform/operation.ts';
import type { AudiencePreview } from './audience.ts';
import { listCampaigns } from './list.ts';
import { presentStats, statusOf } from './present.ts';
import { listRecipients, type RecipientRow } from './recipients.ts';
import type { CampaignRow } from './rows.ts';
import { createCampaign, previewCampaign, showCampaign, updateCampaign } from './service.ts';
import {
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
  scheduleCampaign,
  sendCampaign,
} from './transitions.ts';

type Stats = ReturnType<typeof presentStats>;

const CampaignStats = builder.objectRef<Stats>('CampaignStats').implement({
  description: 'total = pending + sent + failed + skipped; sent includes delivered, delivered includes read.',
  fields: (t) => ({
    total: t.exposeInt('total'),
    pending: t.exposeInt('pending'),
    sent: t.exposeInt('sent'),
    delivered: t.exposeInt('delivered'),
    read: t.exposeInt('read'),
    failed: t.exposeInt('failed'),
    skipped: t.exposeInt('skipped'),
    replied: t.exposeInt('replied', { description: 'Recipients who wrote within 7 days.' }),
    unsubscribed: t.exposeInt('unsubscribed'),
    orders: t.exposeInt('orders', { description: 'Neither cancelled nor returned.' }),
    revenue: t.expose('revenue', { type: 'SafeInt', description: "Minor units of the company's currency." }),
  }),
});

const CampaignTemplate = builder.objectRef<{ name: string; language: string }>('CampaignTemplate').implement({
  fields: (t) => ({ name: t.exposeString('name'), language: t.exposeString('language') }),
});

const CampaignAudience = builder
  .objectRef<{ description: string; size: number }>('CampaignAudience')
  .implement({ fields: (t) => ({ description: t.exposeString('description'), size: t.exposeInt('size') }) });

const CampaignCreator = builder.objectRef<{ name: string; email: string }>('CampaignCreator').implement({
  fields: (t) => ({ name: t.exposeString('name'), email: t.exposeString('email') }),
});

const Campaign = builder.objectRef<CampaignRow>('Campaign').implement({
  description: 'A broadcast.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    channel: t.exposeString('channelKind', { description: 'Kind of the channel.' }),
    status: t.exposeString('status'),
    template: t.field({
      type: CampaignTemplate,
      nullable: true,
      complexity: 0,
      resolve: ({ template }) => template,
    }),
    text: t.exposeString('text', { nullable: true }),
    media: t.field({
      type: Media,
      nullable: true,
      complexity: 0,
      resolve: ({ media }, _args, { app }) => media && presentMediaRef(media, app),
    }),
    audience: t.field({
      type: CampaignAudience,
      complexity: 0,
      resolve: ({ audienceDescription: description, audienceSize: size }) => ({ description, size }),
    }),
    scheduledAt: t.expose('scheduledAt', { type: 'DateTime', nullable: true }),
    startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true }),
    pausedAt: t.expose('pausedAt', { type: 'DateTime', nullable: true }),
    completedAt: t.expose('completedAt', { type: 'DateTime', nullable: true }),
    cancelledAt: t.expose('cancelledAt', { type: 'DateTime', nullable: true }),
    pauseReason: t.exposeString('pauseReason', {
      nullable: true,
      description: 'manual, error_rate or channel_down.',
    }),
    failureReason: t.exposeString('failureReason', { nullable: true }),
    stats: t.field({ type: CampaignStats, complexity: 0, resolve: presentStats }),
    createdBy: t.expose('createdBy', { type: CampaignCreator, nullable: true, complexity: 0 }),
    version: t.exposeInt('version', { description: 'Grows with every change but that of the figures.' }),
    allowedActions: t.stringList({ resolve: (row) => [...campaignTransitions[statusOf(row)]] }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

const Recipient = builder.objectRef<RecipientRow>('CampaignRecipient').implement({
  fields: (t) => ({
    contact: t.exposeID('contactId'),
    name: t.exposeString('name', { nullable: true }),
    address: t.exposeString('address', { nullable: true }),
    status: t.exposeString('status'),
    skipReason: t.exposeString('skipReason', { nullable: true }),
    failureCode: t.exposeString('failureCode', { nullable: true }),
    message: t.exposeID('messageId', { nullable: true }),
    sentAt: t.expose('sentAt', { type: 'DateTime', nullable: true }),
    deliveredAt: t.expose('deliveredAt', { type: 'DateTime', nullable: true }),
    readAt: t.expose('readAt', { type: 'DateTime', nullable: true }),
    failedAt: t.expose('failedAt', { type: 'DateTime', nullable: true }),
    repliedAt: t.expose('repliedAt', { type: 'DateTime', nullable: true }),
    unsubscribedAt: t.expose('unsubscribedAt', { type: 'DateTime', nullable: true }),
  }),
});

const SkippedCount = builder.objectRef<{ reason: string; count: number }>('SkippedCount').implement({
  fields: (t) => ({ reason: t.exposeString('reason'), count: t.exposeInt('count') }),
});

type Sampled = AudiencePreview['sample'][number];

const SampledContact = builder.objectRef<Sampled>('CampaignSampleContact').implement({
  fields: (t) => ({
    contact: t.exposeID('contact'),
    name: t.exposeString('name', { nullable: true }),
    address: t.exposeString('address', { nullable: true }),
    skipReason: t.exposeString('skip_reason', { nullable: true }),
  }),
});

const Preview = builder.objectRef<AudiencePreview>('CampaignPreview').implement({
  description: 'Who would get it and who would not.',
  fields: (t) => ({
    description: t.exposeString('description'),
    total: t.exposeInt('total'),
    reachable: t.exposeInt('reachable'),
    skipped: t.field({
      type: [SkippedCount],
      args: firstArg(),
      complexity: { field: 0, multiplier: 1 },
      resolve: ({ skipped }, args) =>
        takeFirst(
          Object.entries(skipped).map(([reason, count]) => ({ reason, count })),
          args,
        ),
    }),
    sample: t.field({
      type: [SampledContact],
      args: firstArg(),
      complexity: { field: 0, multiplier: 1 },
      resolve: ({ sample }, args) => takeFirst(sample, args),
    }),
  }),
});

queryField('campaign', showCampaign, { type: Campaign, description: 'One campaign.' });
pageField('campaigns', listCampaigns, { type: Campaign, description: 'Campaigns, newest first.' });
pageField('campaignRecipients', listRecipients, {
  type: Recipient,
  description: "A campaign's recipients, in the order of sending.",
});
queryField('campaignPreview', previewCampaign, {
  type: Preview,
  description: 'What an audience would come to; nothing is written.',
});

/** An action answers with the campaign as it is afterwards, changed or not. */
function action<I extends Mutation['input']>(
  name: string,
  operation: Mutation<I, CampaignRow>,
  description: string,
  input?: string,
): void {
  mutationField(name, operation, {
    type: Campaign,
    description,
    ...(input === undefined ? {} : { input }),
  });
}

action('createCampaign', createCampaign, 'Makes a draft.', 'CampaignCreateInput');
action('updateCampaign', updateCampaign, 'Changes a draft or a scheduled campaign.', 'CampaignUpdateInput');
action('scheduleCampaign', scheduleCampaign, 'Schedules it.', 'CampaignScheduleInput');
action('sendCampaign', sendCampaign, 'Sends it now.');
action('pauseCampaign', pauseCampaign, 'Pauses: nobody new is written to.');
action('resumeCampaign', resumeCampaign, 'Resumes a paused campaign.');
action('cancelCampaign', cancelCampaign, 'Cancels for good.');
