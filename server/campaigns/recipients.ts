import { type CampaignRecipient as RecipientColumns, Prisma } from '../../prisma/generated/client/client.ts';
import {
  type CampaignRecipient,
  type recipientStatuses,
  RecipientListQuery,
  type SkipReason,
} from '../../schema/campaigns.ts';
import { pathId } from '../../schema/common.ts';
import { notFound } from '../platform/errors.ts';
import { query } from '../platform/operation.ts';
import { columns, readPage, type Sort } from '../platform/pagination.ts';
import { campaignTargets, findCampaign } from './rows.ts';
import { iso } from '../platform/present.ts';

/** A recipient with the contact's name; `id` is the contact's, by which a campaign knows them. */
export interface RecipientRow extends RecipientColumns {
  id: string;
  name: string | null;
}

const inOrder: Sort<RecipientRow> = {
  name: 'position',
  column: 'position',
  type: 'integer',
  direction: 'asc',
  valueOf: (row) => String(row.position),
};

const select = Prisma.sql`SELECT ${columns(Prisma.CampaignRecipientScalarFieldEnum)}, contact_id AS id
  FROM (SELECT *, contact_id AS id FROM campaign_recipients) AS recipients`;

/** In the order of sending. */
export const listRecipients = query(
  {
    access: 'campaigns.view',
    input: RecipientListQuery.extend({ campaign: pathId }),
    targets: campaignTargets,
  },
  async (ctx, { campaign, ...input }) => {
    const found = await findCampaign(ctx, campaign);
    if (!found) throw notFound();
    return readPage<RecipientRow>(ctx, {
      list: 'recipients',
      select,
      where: recipientFilters(found.id, input),
      filters: { ...input, campaign: found.id },
      sort: inOrder,
      limit: input.limit,
      cursor: input.cursor,
      around: (rows) => Prisma.sql`SELECT page.*, contacts.name FROM (${rows}) AS page
        JOIN contacts ON contacts.company_id = page."companyId" AND contacts.id = page."contactId"
        ORDER BY page.position`,
    });
  },
);

/** The conditions of the list's filters. */
export function recipientFilters(
  campaign: string,
  { status, skip_reason: reason }: RecipientListQuery,
): Prisma.Sql[] {
  return [
    Prisma.sql`campaign_id = ${campaign}`,
    ...(status === undefined ? [] : [Prisma.sql`status = ${status}`]),
    ...(reason === undefined ? [] : [Prisma.sql`skip_reason = ${reason}`]),
  ];
}

export function presentRecipient(row: RecipientRow): CampaignRecipient {
  return {
    contact: { id: row.contactId, name: row.name },
    address: row.address,
    // The database allows only these words.
    status: row.status as (typeof recipientStatuses)[number],
    skip_reason: row.skipReason as SkipReason | null,
    failure_code: row.failureCode,
    message: row.messageId,
    sent_at: iso(row.sentAt),
    delivered_at: iso(row.deliveredAt),
    read_at: iso(row.readAt),
    failed_at: iso(row.failedAt),
    replied_at: iso(row.repliedAt),
    unsubscribed_at: iso(row.unsubscribedAt),
  };
}
