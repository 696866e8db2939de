import { type Campaign as CampaignColumns, Prisma } from '../../prisma/generated/client/client.ts';
import type { CampaignAudience, QuietHours } from '../../schema/campaigns.ts';
import type { MessageTemplate } from '../../schema/messages.ts';
import { type MediaFields, mediaOf } from '../media/columns.ts';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { isId } from '../platform/ids.ts';
import { columns } from '../platform/pagination.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';

/** A campaign with what its public record shows of other rows. */
export interface CampaignRow extends Omit<CampaignColumns, 'template' | 'audience' | 'quietHours'> {
  template: MessageTemplate | null;
  audience: CampaignAudience;
  quietHours: QuietHours | null;
  channelKind: string;
  media: MediaFields | null;
  createdBy: { name: string; email: string } | null;
}

export const selectCampaigns = Prisma.sql`SELECT ${columns(Prisma.CampaignScalarFieldEnum)},
  (SELECT channels.kind FROM channels
    WHERE channels.company_id = campaigns.company_id AND channels.id = campaigns.channel_id) AS "channelKind",
  ${mediaOf('campaigns')} AS media,
  (SELECT json_build_object('name', u.display_name, 'email', u.email) FROM users u
    WHERE u.company_id = campaigns.company_id AND u.id = campaigns.created_by_id) AS "createdBy"
  FROM campaigns`;

/** The campaign, or null when it is unknown to this company. */
export async function findCampaign(ctx: Context, id: string): Promise<CampaignRow | null> {
  if (!isId(id)) return null;
  const rows = await ctx.db.$queryRaw<CampaignRow[]>`
    ${selectCampaigns} WHERE company_id = ${ctx.companyId} AND id = ${id}`;
  return rows[0] ?? null;
}

/**
 * Takes the row for this transaction, and reads it: whoever changes a status, and whoever claims recipients, waits.
 * @throws AppError `not_found` when it is unknown to this company
 */
export async function lockCampaign(ctx: WorkContext, id: string): Promise<CampaignRow> {
  if (isId(id)) {
    await ctx.db.$queryRaw`
      SELECT id FROM campaigns WHERE company_id = ${ctx.companyId} AND id = ${id} FOR NO KEY UPDATE`;
  }
  // A second statement, because the first one's snapshot may be older than the lock it waited for.
  const row = await findCampaign(ctx, id);
  if (!row) throw notFound();
  return row;
}

export const campaignTargets = {
  campaign: async (ctx: Context, id: string) => (await findCampaign(ctx, id)) !== null,
};
