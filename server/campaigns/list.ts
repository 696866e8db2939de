import { Prisma } from '../../prisma/generated/client/client.ts';
import { CampaignListQuery } from '../../schema/campaigns.ts';
import { query } from '../platform/operation.ts';
import { readPage, type Sort } from '../platform/pagination.ts';
import { type CampaignRow, selectCampaigns } from './rows.ts';

const newestFirst: Sort<CampaignRow> = {
  name: 'created_at',
  column: 'created_at',
  type: 'timestamptz',
  direction: 'desc',
  valueOf: (row) => row.createdAt,
};

/** Newest first. */
export const listCampaigns = query({ access: 'campaigns.view', input: CampaignListQuery }, (ctx, input) =>
  readPage<CampaignRow>(ctx, {
    list: 'campaigns',
    select: selectCampaigns,
    where: input.status === undefined ? [] : [Prisma.sql`status = ${input.status}`],
    filters: input,
    sort: newestFirst,
    limit: input.limit,
    cursor: input.cursor,
  }),
);
