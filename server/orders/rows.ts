import { type Order as OrderColumns, Prisma } from '../../prisma/generated/client/client.ts';
import type { Context } from '../platform/context.ts';
import { isId } from '../platform/ids.ts';
import { columns } from '../platform/pagination.ts';

/** A line as the row carries it. Amounts fit a JSON number. */
export interface OrderLine {
  id: string;
  product: string | null;
  name: string;
  sku: string | null;
  quantity: number;
  unit_price: number;
  total: number;
}

interface HistoryActor {
  type: string;
  id: string | null;
  name: string | null;
}

/** A step of the status, with who took it. */
export interface OrderStep {
  status: string;
  at: string;
  by: HistoryActor | null;
  note: string | null;
}

interface OrderContact {
  id: string;
  name: string | null;
  phone: string | null;
  deleted: boolean;
}

/** An order with what its public record shows, read in one statement. */
export interface OrderRow extends OrderColumns {
  contact: OrderContact;
  items: OrderLine[];
  statusHistory: OrderStep[];
}

/** `SELECT … FROM orders`, with contact, lines and status steps beside each row. */
export const selectOrders = Prisma.sql`SELECT ${columns(Prisma.OrderScalarFieldEnum)},
  (SELECT json_build_object('id', c.id, 'name', c.name, 'phone', c.phone, 'deleted', c.deleted_at IS NOT NULL)
    FROM contacts c WHERE c.company_id = orders.company_id AND c.id = orders.contact_id) AS contact,
  (SELECT json_agg(json_build_object('id', i.id, 'product', i.product_id, 'name', i.name, 'sku', i.sku,
      'quantity', i.quantity, 'unit_price', i.unit_price, 'total', i.total) ORDER BY i.position)
    FROM order_items i WHERE i.company_id = orders.company_id AND i.order_id = orders.id) AS items,
  (SELECT json_agg(json_build_object('status', s.status, 'at', s.at, 'by', s.actor, 'note', s.note) ORDER BY s.at)
    FROM order_status_changes s WHERE s.company_id = orders.company_id AND s.order_id = orders.id
      AND s.from_status IS DISTINCT FROM s.status) AS "statusHistory"
  FROM orders`;

/** The order with this id, or null: unknown and foreign look the same. */
export async function findOrder(ctx: Context, id: string): Promise<OrderRow | null> {
  if (!isId(id)) return null;
  const rows = await ctx.db.$queryRaw<
    OrderRow[]
  >`${selectOrders} WHERE company_id = ${ctx.companyId} AND id = ${id}`;
  return rows[0] ?? null;
}

export const orderTargets = {
  order: async (ctx: Context, id: string) => (await findOrder(ctx, id)) !== null,
};
