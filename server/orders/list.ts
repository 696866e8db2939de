import { Prisma } from '../../prisma/generated/client/client.ts';
import { momentOf } from '../../schema/common.ts';
import { OrderListQuery } from '../../schema/orders.ts';
import type { Context } from '../platform/context.ts';
import { query } from '../platform/operation.ts';
import { containsText, newestFirst, readPage } from '../platform/pagination.ts';
import { type OrderRow, selectOrders } from './rows.ts';

/** Newest first. */
export const listOrders = query({ access: 'commerce.view', input: OrderListQuery }, (ctx, input) =>
  readPage<OrderRow>(ctx, {
    list: 'orders',
    select: selectOrders,
    where: orderFilters(ctx, input),
    filters: input,
    sort: newestFirst,
    limit: input.limit,
    cursor: input.cursor,
  }),
);

/** The conditions of the list's filters. */
export function orderFilters(ctx: Context, input: Omit<OrderListQuery, 'limit' | 'cursor'>): Prisma.Sql[] {
  const filters: Prisma.Sql[] = [];
  if (input.status !== undefined) filters.push(Prisma.sql`status = ${input.status}`);
  if (input.payment_status !== undefined) filters.push(Prisma.sql`payment_status = ${input.payment_status}`);
  if (input.contact !== undefined) filters.push(Prisma.sql`contact_id = ${input.contact}`);
  if (input.conversation !== undefined) filters.push(Prisma.sql`conversation_id = ${input.conversation}`);
  if (input.from !== undefined) filters.push(Prisma.sql`created_at >= ${new Date(momentOf(input.from))}`);
  if (input.to !== undefined) filters.push(Prisma.sql`created_at < ${new Date(momentOf(input.to))}`);
  if (input.q !== undefined && input.q !== '') filters.push(matches(ctx, input.q));
  return filters;
}

/** The order's number (with or without #), or an order of a contact whose name, phone or e-mail has the text. */
function matches(ctx: Context, q: string): Prisma.Sql {
  const ofContacts = Prisma.sql`contact_id = ANY(ARRAY(
    SELECT id FROM contacts WHERE company_id = ${ctx.companyId} AND deleted_at IS NULL AND ${containsText('search', q)}))`;
  const number = /^#?(\d{1,9})$/.exec(q.trim())?.[1];
  return number === undefined ? ofContacts : Prisma.sql`(number = ${Number(number)} OR ${ofContacts})`;
}
