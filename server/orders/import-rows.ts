import { z } from 'zod';
import { limits, text } from '../../schema/common.ts';
import { orderStatuses, type OrderStatus, orderTransitions, paymentStatuses } from '../../schema/orders.ts';
import { parsePhone, type Phone } from '../contacts/phone.ts';
import type { Column } from '../platform/csv-columns.ts';
import { checked, type ImportRow } from '../platform/csv-plan.ts';
import { invalid, invalidField } from '../platform/errors.ts';

/** Columns that all lines of an order share; the first line has them, the others the same or nothing. */
const shared: readonly Column[] = [
  { name: 'id', kind: 'word' },
  { name: 'external_id', kind: 'word', aliases: ['order id', 'order number', 'order', 'reference'] },
  { name: 'status', kind: 'choice', aliases: ['order status'] },
  { name: 'payment_status', kind: 'choice', aliases: ['financial status'] },
  { name: 'contact', kind: 'word', aliases: ['contact id'] },
  { name: 'contact_phone', kind: 'word', aliases: ['phone', 'customer phone', 'phone number', 'mobile'] },
  { name: 'contact_email', kind: 'word', aliases: ['email', 'customer email', 'email address'] },
  { name: 'currency', kind: 'word' },
  { name: 'discount', kind: 'integer' },
  { name: 'shipping_fee', kind: 'integer', aliases: ['shipping'] },
  { name: 'tax', kind: 'integer', aliases: ['taxes'] },
  { name: 'shipping_name', kind: 'text' },
  { name: 'shipping_line1', kind: 'text', aliases: ['shipping address1', 'shipping street'] },
  { name: 'shipping_line2', kind: 'text', aliases: ['shipping address2'] },
  { name: 'shipping_city', kind: 'text' },
  { name: 'shipping_region', kind: 'text', aliases: ['shipping province', 'shipping state'] },
  { name: 'shipping_postal_code', kind: 'text', aliases: ['shipping zip', 'shipping postcode'] },
  { name: 'shipping_country', kind: 'word' },
  { name: 'shipping_phone', kind: 'text' },
  { name: 'notes', kind: 'text', aliases: ['note'] },
  { name: 'tracking_carrier', kind: 'text' },
  { name: 'tracking_number', kind: 'text' },
  { name: 'tracking_url', kind: 'word' },
  { name: 'cancel_reason', kind: 'choice' },
];

const own: readonly Column[] = [
  { name: 'product', kind: 'word', aliases: ['product id'] },
  { name: 'sku', kind: 'word', aliases: ['item sku', 'lineitem sku', 'product sku'] },
  { name: 'item_name', kind: 'text', aliases: ['lineitem name', 'item', 'product name'] },
  { name: 'quantity', kind: 'integer', aliases: ['qty', 'lineitem quantity'] },
  { name: 'unit_price', kind: 'integer' },
];

/** Columns of a file of orders, one row for each line of an order. Amounts are in minor units, as in the API. */
export const orderColumns: readonly Column[] = [...shared, ...own];

/** Rows that are kept together: one more than an order may have lines, so that the API's limit refuses them. */
export const maximumRows = 101;

interface OrderItemInput {
  product: string | undefined;
  sku: string | undefined;
  name: unknown;
  quantity: unknown;
  unit_price: unknown;
}

/** What the rows of one order say. `fields` and `items` go to the order service, which checks them. */
export interface OrderInput {
  key: string;
  id: string | undefined;
  status: OrderStatus;
  payment: (typeof paymentStatuses)[number];
  contact: { id: string | undefined; phone: Phone | null; email: string | undefined };
  fields: Record<string, unknown>;
  items: OrderItemInput[];
  /** Line in the file of each item. */
  lines: number[];
  /** What goes with the last step. */
  last: Record<string, unknown>;
}

/** What tells the order of a row: its `external_id`, else the `id` that it had where it was exported. */
export function keyOf(values: Record<string, unknown>): string | undefined {
  const key = values['external_id'] ?? values['id'];
  return typeof key === 'string' ? key : undefined;
}

const Reference = z.object({
  id: text(limits.id).optional(),
  external_id: text(64).optional(),
  status: z.enum(orderStatuses).optional(),
  payment_status: z.enum(paymentStatuses).optional(),
  contact: text(limits.id).optional(),
  contact_phone: text(limits.phone).optional(),
  contact_email: text(limits.email).optional(),
});

/** @param seen keys of the file so far, to notice an order whose lines do not stand together */
export function readOrder(rows: [ImportRow, ...ImportRow[]], seen: Set<string>): OrderInput {
  const [{ values }] = rows;
  const key = keyOf(values);
  if (key === undefined)
    throw invalid({
      param: 'external_id',
      code: 'required',
      message: 'Needs an external_id, by which it is known.',
    });
  if (seen.has(key))
    throw invalidField(
      'external_id',
      'duplicate',
      'The lines of an order must follow one another, at most 100.',
    );
  seen.add(key);
  refuseDifferences(rows);
  const given = checked(Reference, values);
  const phone = given.contact_phone === undefined ? null : parsePhone(given.contact_phone);
  if (given.contact_phone !== undefined && !phone && given.contact === undefined)
    throw invalidField('contact_phone', 'format', 'Must be a phone number with a country code.');
  const payment = given.payment_status ?? 'unpaid';
  return {
    key,
    id: given.id,
    status: given.status ?? 'pending',
    payment,
    contact: { id: given.contact, phone, email: given.contact_email },
    fields: {
      ...pick(values, ['currency', 'discount', 'shipping_fee', 'tax', 'notes']),
      payment_status: payment === 'unpaid' ? 'unpaid' : 'paid',
      ...group(values, 'shipping_', addressFields, 'shipping_address'),
    },
    items: rows.map((row) => itemOf(row.values)),
    lines: rows.map(({ line }) => line),
    last: {
      ...pick(values, ['cancel_reason']),
      ...group(values, 'tracking_', ['carrier', 'number', 'url'], 'tracking'),
    },
  };
}

const addressFields = ['name', 'line1', 'line2', 'city', 'region', 'postal_code', 'country', 'phone'];

function refuseDifferences([first, ...others]: [ImportRow, ...ImportRow[]]): void {
  for (const { line, values } of others)
    for (const { name } of shared)
      if (values[name] !== undefined && values[name] !== first.values[name])
        throw invalidField(name, 'not_allowed', `Line ${line} differs from the first line of its order.`);
}

function itemOf({
  product,
  sku,
  item_name: name,
  quantity,
  unit_price,
}: Record<string, unknown>): OrderItemInput {
  const word = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return { product: word(product), sku: word(sku), name, quantity, unit_price };
}

function pick(values: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
  );
}

/** `{as: {…}}` of the columns with a prefix, or nothing when they are empty. */
function group(values: Record<string, unknown>, prefix: string, names: readonly string[], as: string) {
  const found = pick(
    values,
    names.map((name) => prefix + name),
  );
  if (Object.keys(found).length === 0) return {};
  return {
    [as]: Object.fromEntries(
      Object.entries(found).map(([name, value]) => [name.slice(prefix.length), value]),
    ),
  };
}

/** The steps from a new order to what the file says, by the shortest way through the table of transitions. */
export function stepsTo({ status, payment, last }: OrderInput): Record<string, unknown>[] {
  const steps: Record<string, unknown>[] = wayTo(status).map((next) => ({ status: next }));
  if (payment === 'refunded' && steps.length === 0) steps.push({});
  const final = steps.at(-1);
  if (final) Object.assign(final, last, payment === 'refunded' ? { payment_status: 'refunded' } : {});
  return steps;
}

function wayTo(target: OrderStatus): OrderStatus[] {
  const ways: OrderStatus[][] = [[]];
  for (const way of ways) {
    const at = way.at(-1) ?? 'pending';
    if (at === target) return way;
    for (const next of orderTransitions[at].to) ways.push([...way, next]);
  }
  return [];
}
