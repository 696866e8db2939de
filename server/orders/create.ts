import { OrderCreate } from '../../schema/orders.ts';
import { actorOf } from '../platform/context.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { mutation } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { emitProductChange, moveStock } from '../products/stock.ts';
import { attributeTo, countForCampaign } from './attribution.ts';
import {
  linesOf,
  type Offered,
  refuseMagicQuantity,
  refuseUnreserved,
  sumPerProduct,
  type Totals,
  totalsOf,
} from './lines.ts';
import { presentOrder } from './present.ts';
import type { OrderLine, OrderRow } from './rows.ts';

/**
 * Places an order: reserves the stock of all its products or refuses as a whole. The running number is taken
 * with the last write, so that orders of one company wait for each other as briefly as can be.
 */
export const createOrder = mutation({ access: 'commerce.manage', input: OrderCreate }, async (ctx, input) => {
  if (!ctx.principal.livemode) refuseMagicQuantity(input.items);
  const quantities = sumPerProduct(input.items);
  const { contact, campaignId, offered } = await requireReferences(ctx, input, quantities);
  const currency = currencyOf(ctx, input, quantities, offered);
  // What is refused already as things stand waits for nobody's lock.
  refuseUnreserved(input.items, offered, currency);
  const id = newId();
  const products = await moveStock(ctx, 'reserve', quantities, id);
  refuseUnreserved(input.items, products, currency);
  const lines = linesOf(input.items, (product) => products.get(product)?.before);
  const totals = totalsOf(lines, input);
  const row: OrderRow = {
    ...blankOrder(ctx, id, input),
    ...amountsOf(totals),
    currency,
    contact,
    items: lines,
    campaignId,
    source: campaignId === null ? sourceOf(ctx) : 'campaign',
  };
  await countForCampaign(ctx, row, 1);
  row.number = await insertOrder(ctx, row, totals, lines);
  const object = presentOrder(row);
  const links = {
    contactId: row.contactId,
    ...(row.conversationId ? { conversationId: row.conversationId } : {}),
  };
  ctx.emit({ type: 'order.created', object, ...links });
  if (row.paymentStatus === 'paid') ctx.emit({ type: 'order.paid', object, ...links });
  for (const { before, after } of products.values()) emitProductChange(ctx, before, after);
  return row;
});

/** 422 with the field that names a record which does not exist, or an `external_id` that is taken. */
async function requireReferences(
  ctx: WorkContext,
  input: OrderCreate,
  quantities: ReadonlyMap<string, number>,
) {
  const [found] = await ctx.db.$queryRaw<
    {
      contact: OrderRow['contact'] | null;
      conversationContact: string | null;
      taken: string | null;
      campaignId: string | null;
      products: Snapshot[] | null;
    }[]
  >`SELECT
      (SELECT json_build_object('id', id, 'name', name, 'phone', phone, 'deleted', false) FROM contacts
        WHERE company_id = ${ctx.companyId} AND id = ${input.contact} AND deleted_at IS NULL) AS contact,
      (SELECT contact_id FROM conversations
        WHERE company_id = ${ctx.companyId} AND id = ${input.conversation ?? null}) AS "conversationContact",
      (SELECT id FROM orders
        WHERE company_id = ${ctx.companyId} AND external_id = ${input.external_id ?? null}) AS taken,
      ${attributeTo(ctx, input.conversation ?? null)} AS "campaignId",
      (SELECT json_agg(json_build_object('id', id, 'status', status, 'currency', currency, 'available', stock - reserved))
        FROM products WHERE company_id = ${ctx.companyId} AND id = ANY(${[...quantities.keys()]}::text[])) AS products`;
  if (!found?.contact) throw invalidField('contact', 'unknown_id', 'There is no such contact.');
  if (input.conversation) {
    if (found.conversationContact === null)
      throw invalidField('conversation', 'unknown_id', 'There is no such conversation.');
    if (found.conversationContact !== input.contact)
      throw invalidField('conversation', 'not_allowed', 'Is a conversation with another contact.');
  }
  if (found.taken !== null)
    throw invalidField('external_id', 'duplicate', 'Another order has this external id.', found.taken);
  const offered = new Map<string, Offered>();
  for (const { id, available, ...before } of found.products ?? [])
    offered.set(id, { before, done: available === null || available >= (quantities.get(id) ?? 0) });
  return { contact: found.contact, campaignId: found.campaignId, offered };
}

interface Snapshot {
  id: string;
  status: string;
  currency: string;
  available: number | null;
}

/** As asked, else that of the first product, else the company's. */
function currencyOf(
  ctx: WorkContext,
  input: OrderCreate,
  quantities: ReadonlyMap<string, number>,
  offered: ReadonlyMap<string, Offered>,
): string {
  const [first] = quantities.keys();
  const own = first === undefined ? undefined : offered.get(first)?.before.currency;
  return input.currency?.toUpperCase() ?? own ?? ctx.principal.company.currency;
}

function sourceOf({ principal }: WorkContext): 'agent' | 'api' {
  return principal.kind === 'user' ? 'agent' : 'api';
}

function blankOrder(ctx: WorkContext, id: string, input: OrderCreate) {
  const now = ctx.now();
  const paid = input.payment_status === 'paid';
  const { type, id: by, name } = actorOf(ctx);
  return {
    companyId: ctx.companyId,
    id,
    number: 0,
    contactId: input.contact,
    conversationId: input.conversation ?? null,
    status: 'pending',
    paymentStatus: paid ? 'paid' : 'unpaid',
    shippingAddress: input.shipping_address ? addressOf(input.shipping_address) : null,
    notes: input.notes ?? null,
    tracking: null,
    cancelReason: null,
    externalId: input.external_id ?? null,
    placedAt: now,
    paidAt: paid ? now : null,
    shippedAt: null,
    completedAt: null,
    cancelledAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
    statusHistory: [{ status: 'pending', at: now.toISOString(), by: { type, id: by, name }, note: null }],
  };
}

/** Only the fields of an address: whatever else came with it is not kept. */
function addressOf(given: NonNullable<OrderCreate['shipping_address']>) {
  return {
    name: given.name ?? null,
    line1: given.line1 ?? null,
    line2: given.line2 ?? null,
    city: given.city ?? null,
    region: given.region ?? null,
    postal_code: given.postal_code ?? null,
    country: given.country?.toUpperCase() ?? null,
    phone: given.phone ?? null,
  };
}

function amountsOf(totals: Totals) {
  return {
    subtotal: BigInt(totals.subtotal),
    discount: BigInt(totals.discount),
    shippingFee: BigInt(totals.shippingFee),
    tax: BigInt(totals.tax),
    total: BigInt(totals.total),
  };
}

/** Order, lines and first step in one statement, which also takes the number. @returns the number */
async function insertOrder(
  ctx: WorkContext,
  row: OrderRow,
  totals: Totals,
  lines: OrderLine[],
): Promise<number> {
  const address = row.shippingAddress === null ? null : JSON.stringify(row.shippingAddress);
  const [made] = await ctx.db.$queryRaw<{ number: number }[]>`
    WITH counter AS (
      INSERT INTO order_counters AS counted (company_id, last_number) VALUES (${ctx.companyId}, 1)
      ON CONFLICT (company_id) DO UPDATE SET last_number = counted.last_number + 1 RETURNING last_number
    ), placed AS (
      INSERT INTO orders (
        company_id, id, number, contact_id, conversation_id, campaign_id, status, payment_status, currency, subtotal,
        discount, shipping_fee, tax, total, shipping_address, notes, external_id, source, placed_at, paid_at,
        created_at, updated_at
      )
      SELECT ${ctx.companyId}, ${row.id}, last_number, ${row.contactId}, ${row.conversationId}, ${row.campaignId},
        ${row.status}, ${row.paymentStatus}, ${row.currency}, ${totals.subtotal}::bigint, ${totals.discount}::bigint,
        ${totals.shippingFee}::bigint, ${totals.tax}::bigint, ${totals.total}::bigint, ${address}::jsonb, ${row.notes},
        ${row.externalId}, ${row.source}, ${row.placedAt}::timestamptz, ${row.paidAt}::timestamptz,
        ${row.createdAt}::timestamptz, ${row.updatedAt}::timestamptz
      FROM counter RETURNING number
    ), lines AS (
      INSERT INTO order_items (company_id, id, order_id, position, product_id, name, sku, quantity, unit_price, total)
      SELECT ${ctx.companyId}, id, ${row.id}, ordinal - 1, product, name, sku, quantity, unit_price, total
      FROM ROWS FROM (
        json_to_recordset(${JSON.stringify(lines)}::json)
        AS (id text, product text, name text, sku text, quantity int, unit_price bigint, total bigint)
      ) WITH ORDINALITY AS given (id, product, name, sku, quantity, unit_price, total, ordinal)
    ), step AS (
      INSERT INTO order_status_changes (company_id, id, order_id, status, payment_status, actor, at)
      VALUES (${ctx.companyId}, ${newId()}, ${row.id}, ${row.status}, ${row.paymentStatus},
        ${JSON.stringify(actorOf(ctx))}::jsonb, ${row.placedAt})
    )
    SELECT number FROM placed`;
  if (!made) throw new Error('The order was not inserted.');
  return made.number;
}
