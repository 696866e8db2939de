import { Prisma } from '../../prisma/generated/client/client.ts';
import type { Context } from '../platform/context.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import type { OrderRow } from './rows.ts';

/** An order within this time of a campaign's message in its conversation counts for the campaign. */
const attributionDays = 7;

/** Sub-select: the campaign that wrote to the conversation last, not too long ago. */
export function attributeTo(ctx: Context, conversationId: string | null): Prisma.Sql {
  const since = new Date(ctx.now().getTime() - attributionDays * 24 * 60 * 60 * 1000);
  return Prisma.sql`(SELECT campaign_id FROM messages
    WHERE company_id = ${ctx.companyId} AND conversation_id = ${conversationId} AND campaign_id IS NOT NULL
      AND at > ${since} ORDER BY at DESC LIMIT 1)`;
}

/** Adds the order to its campaign's figures, or takes it out again; revenue is in the company's currency only. */
export async function countForCampaign(
  ctx: WorkContext,
  row: Pick<OrderRow, 'campaignId' | 'currency' | 'total'>,
  factor: 1 | -1,
): Promise<void> {
  if (row.campaignId === null) return;
  const revenue = row.currency === ctx.principal.company.currency ? row.total : 0n;
  await ctx.db.$executeRaw`
    UPDATE campaigns SET order_count = greatest(order_count + ${factor}::int, 0),
      revenue = greatest(revenue + ${factor}::int * ${revenue}::bigint, 0), updated_at = ${ctx.now()}
    WHERE company_id = ${ctx.companyId} AND id = ${row.campaignId}`;
}
