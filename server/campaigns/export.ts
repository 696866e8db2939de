import { Prisma } from '../../prisma/generated/client/client.ts';
import { CampaignListQuery, RecipientListQuery } from '../../schema/campaigns.ts';
import { pathId } from '../../schema/common.ts';
import type { Context } from '../platform/context.ts';
import { type ExportOptions, exportCsv, exportPage } from '../platform/csv-export.ts';
import { execute, query } from '../platform/operation.ts';
import { countRows } from '../platform/pagination.ts';
import { listCampaigns } from './list.ts';
import { presentCampaign } from './present.ts';
import { listRecipients, presentRecipient, recipientFilters } from './recipients.ts';
import { campaignTargets } from './rows.ts';

const recipientColumns = [
  'contact',
  'name',
  'address',
  'status',
  'skip_reason',
  'failure_code',
  'message',
  'sent_at',
  'delivered_at',
  'read_at',
  'failed_at',
  'replied_at',
  'unsubscribed_at',
] as const;

/**
 * The recipients that the list would show, as CSV, in the order of sending.
 * @param filters with `campaign`, its id
 * @throws AppError `not_found`, `validation_failed`, `forbidden`
 */
export function exportRecipients(
  ctx: Context,
  filters: object,
  options?: ExportOptions,
): AsyncGenerator<string> {
  return exportCsv(
    recipientColumns,
    (cursor) => execute(listRecipients, ctx, { ...filters, limit: exportPage, cursor }),
    (rows) =>
      rows.map((row) => {
        const { contact, ...facts } = presentRecipient(row);
        const cells = { ...facts, contact: contact.id, name: contact.name };
        return recipientColumns.map((name) => cells[name]);
      }),
    options,
  );
}

/** How many `exportRecipients` gives. @throws AppError `validation_failed`, `forbidden` */
export const countRecipients = query(
  {
    access: 'campaigns.view',
    input: RecipientListQuery.omit({ limit: true, cursor: true }).extend({ campaign: pathId }),
    targets: campaignTargets,
  },
  (ctx, { campaign, ...input }) => countRows(ctx, 'campaign_recipients', recipientFilters(campaign, input)),
);

const campaignColumns = [
  'id',
  'name',
  'channel',
  'status',
  'audience',
  'total',
  'pending',
  'sent',
  'delivered',
  'read',
  'failed',
  'skipped',
  'replied',
  'unsubscribed',
  'orders',
  'revenue',
  'scheduled_at',
  'started_at',
  'completed_at',
  'cancelled_at',
  'created_at',
] as const;

/** The campaigns that the list would show, as CSV, newest first. @throws AppError `validation_failed`, `forbidden` */
export function exportCampaigns(
  ctx: Context,
  filters: object,
  options?: ExportOptions,
): AsyncGenerator<string> {
  return exportCsv(
    campaignColumns,
    (cursor) => execute(listCampaigns, ctx, { ...filters, limit: exportPage, cursor }),
    (rows) =>
      rows.map((row) => {
        const { stats, audience, ...facts } = presentCampaign(row, ctx.app);
        const cells = { ...facts, ...stats, audience: audience.description };
        return campaignColumns.map((name) => cells[name]);
      }),
    options,
  );
}

/** How many `exportCampaigns` gives. @throws AppError `validation_failed`, `forbidden` */
export const countCampaigns = query(
  { access: 'campaigns.view', input: CampaignListQuery.omit({ limit: true, cursor: true }) },
  (ctx, { status }) =>
    countRows(ctx, 'campaigns', status === undefined ? [] : [Prisma.sql`status = ${status}`]),
);
