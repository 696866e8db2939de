import { RecipientListQuery } from '../../schema/campaigns.ts';
import { pathId } from '../../schema/common.ts';
import type { Context } from '../platform/context.ts';
import { type ExportOptions, exportCsv, exportPage } from '../platform/csv-export.ts';
import { execute, query } from '../platform/operation.ts';
import { countRows } from '../platform/pagination.ts';
import { listRecipients, presentRecipient, recipientFilters } from './recipients.ts';
import { campaignTargets } from './rows.ts';

const names = [
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
    names,
    (cursor) => execute(listRecipients, ctx, { ...filters, limit: exportPage, cursor }),
    (rows) =>
      rows.map((row) => {
        const { contact, ...facts } = presentRecipient(row);
        const cells = { ...facts, contact: contact.id, name: contact.name };
        return names.map((name) => cells[name]);
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
