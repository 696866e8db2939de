import { OrderListQuery } from '../../schema/orders.ts';
import { contactsById } from '../contacts/loaders.ts';
import type { Cell } from '../platform/csv.ts';
import type { Context } from '../platform/context.ts';
import { type ExportOptions, exportCsv, exportPage } from '../platform/csv-export.ts';
import { execute, query } from '../platform/operation.ts';
import { countRows } from '../platform/pagination.ts';
import { inTenant } from '../platform/tenancy.ts';
import { listOrders, orderFilters } from './list.ts';
import { presentOrder } from './present.ts';
import type { OrderRow } from './rows.ts';

/** A line of an order with what each of its lines repeats. */
type Line = Record<(typeof names)[number], Cell>;

const names = [
  'id',
  'number',
  'external_id',
  'status',
  'payment_status',
  'contact',
  'contact_name',
  'contact_phone',
  'contact_email',
  'conversation',
  'product',
  'sku',
  'item_name',
  'quantity',
  'unit_price',
  'item_total',
  'currency',
  'subtotal',
  'discount',
  'shipping_fee',
  'tax',
  'total',
  'shipping_name',
  'shipping_line1',
  'shipping_line2',
  'shipping_city',
  'shipping_region',
  'shipping_postal_code',
  'shipping_country',
  'shipping_phone',
  'notes',
  'tracking_carrier',
  'tracking_number',
  'tracking_url',
  'cancel_reason',
  'source',
  'campaign',
  'placed_at',
  'created_at',
  'updated_at',
] as const;

/** The orders that the list would show, as CSV, a row for each line. @throws AppError `validation_failed`, `forbidden` */
export function exportOrders(ctx: Context, filters: object, options?: ExportOptions): AsyncGenerator<string> {
  return exportCsv(
    names,
    (cursor) => execute(listOrders, ctx, { ...filters, limit: exportPage, cursor }),
    async (rows) => {
      const ids = [...new Set(rows.map(({ contactId }) => contactId))];
      const contacts = await inTenant(ctx.companyId, () => contactsById(ctx, ids));
      return rows
        .flatMap((row) => linesOf(row, contacts.get(row.contactId)?.email ?? null))
        .map((line) => names.map((name) => line[name]));
    },
    options,
  );
}

/** How many orders `exportOrders` gives. @throws AppError `validation_failed`, `forbidden` */
export const countOrders = query(
  { access: 'commerce.view', input: OrderListQuery.omit({ limit: true, cursor: true }) },
  (ctx, input) => countRows(ctx, 'orders', orderFilters(ctx, input)),
);

function linesOf(row: OrderRow, email: string | null): Line[] {
  const { contact, items, shipping_address: to, tracking, ...order } = presentOrder(row);
  return items.map((item) => ({
    ...order,
    contact: contact.id,
    contact_name: contact.name,
    contact_phone: contact.phone,
    contact_email: email,
    product: item.product,
    sku: item.sku,
    item_name: item.name,
    quantity: item.quantity,
    unit_price: item.unit_price,
    item_total: item.total,
    shipping_name: to?.name ?? null,
    shipping_line1: to?.line1 ?? null,
    shipping_line2: to?.line2 ?? null,
    shipping_city: to?.city ?? null,
    shipping_region: to?.region ?? null,
    shipping_postal_code: to?.postal_code ?? null,
    shipping_country: to?.country ?? null,
    shipping_phone: to?.phone ?? null,
    tracking_carrier: tracking?.carrier ?? null,
    tracking_number: tracking?.number ?? null,
    tracking_url: tracking?.url ?? null,
  }));
}
