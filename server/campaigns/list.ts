import { Prisma } from '../../prisma/generated/client/client.ts';
import { CampaignListQuery } from '../../schema/campaigns.ts';
import { query } from '../platform/operation.ts';
import { newestFirst, readPage } from '../platform/pagination.ts';
import { type CampaignRow, selectCampaigns } from './rows.ts';

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
