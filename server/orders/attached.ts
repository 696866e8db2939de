import { limits } from '../../schema/common.ts';
import type { Context } from '../platform/context.ts';
import { type OrderRow, selectOrders } from './rows.ts';

/** Orders of many contacts in one statement, newest first, at most 100 of each contact. */
export async function ordersOfContacts(ctx: Context, contactIds: string[]): Promise<Map<string, OrderRow[]>> {
  const rows = await ctx.db.$queryRaw<OrderRow[]>`
    SELECT found.* FROM unnest(${contactIds}::text[]) AS wanted (id)
    CROSS JOIN LATERAL (
      ${selectOrders} WHERE company_id = ${ctx.companyId} AND contact_id = wanted.id
      ORDER BY created_at DESC, id DESC LIMIT ${limits.page.max}
    ) AS found`;
  return Map.groupBy(rows, (row) => row.contactId);
}

/** The same for conversations. */
export async function ordersOfConversations(
  ctx: Context,
  conversationIds: string[],
): Promise<Map<string, OrderRow[]>> {
  const rows = await ctx.db.$queryRaw<OrderRow[]>`
    SELECT found.* FROM unnest(${conversationIds}::text[]) AS wanted (id)
    CROSS JOIN LATERAL (
      ${selectOrders} WHERE company_id = ${ctx.companyId} AND conversation_id = wanted.id
      ORDER BY created_at DESC, id DESC LIMIT ${limits.page.max}
    ) AS found`;
  return Map.groupBy(rows, (row) => row.conversationId ?? '');
}
