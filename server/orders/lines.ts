import type { Product as ProductRow } from '../../prisma/generated/client/client.ts';
import { maximumAmount } from '../../schema/money.ts';
import { maximumQuantity, type OrderCreate } from '../../schema/orders.ts';
import { type Detail, invalid, invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { OrderLine } from './rows.ts';

type Item = OrderCreate['items'][number];

/** How much of each product an order takes: lines of one product are one demand on its stock. */
export function sumPerProduct(
  items: readonly { product?: string | null | undefined; quantity: number }[],
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { product, quantity } of items) {
    if (product) sums.set(product, (sums.get(product) ?? 0) + quantity);
  }
  return sums;
}

/**
 * The quantity with which a test key sees how a refusal looks, whatever the stock is (decisions §13).
 * @throws AppError
 */
export function refuseMagicQuantity(items: readonly Item[]): void {
  const at = items.findIndex(({ product, quantity }) => product && quantity === maximumQuantity);
  if (at !== -1) throw invalid(insufficient(at));
}

/** What a line asks of its product. */
export interface Offered {
  before: Pick<ProductRow, 'status' | 'currency'>;
  /** Whether there is enough of it. */
  done: boolean;
}

/**
 * Refuses what can not be reserved, with the first line of each such product.
 * @throws AppError `validation_failed`: unknown_id, not_allowed (draft, archived, other currency), insufficient_stock
 */
export function refuseUnreserved(
  items: readonly Item[],
  products: ReadonlyMap<string, Offered>,
  currency: string,
): void {
  const seen = new Set<string>();
  const details: Detail[] = [];
  for (const [at, { product }] of items.entries()) {
    if (product === undefined || seen.has(product)) continue;
    seen.add(product);
    const problem = problemOf(at, products.get(product), currency);
    if (problem) details.push(problem);
  }
  const [first, ...rest] = details;
  if (first) throw invalid(first, ...rest);
}

function problemOf(at: number, moved: Offered | undefined, currency: string): Detail | undefined {
  const param = `items.${at}.product`;
  if (!moved) return { param, code: 'unknown_id', message: 'There is no such product.' };
  const { status, currency: own } = moved.before;
  if (status !== 'active') return { param, code: 'not_allowed', message: `The product is ${status}.` };
  if (own !== currency)
    return { param, code: 'not_allowed', message: `Is priced in ${own}, not in ${currency}.` };
  return moved.done ? undefined : insufficient(at);
}

function insufficient(at: number): Detail {
  return {
    param: `items.${at}.quantity`,
    code: 'insufficient_stock',
    message: 'There is not enough in stock.',
  };
}

/** The lines with their snapshots. @throws AppError when a line's total is over the limit of money */
export function linesOf(
  items: readonly Item[],
  productOf: (id: string) => Pick<ProductRow, 'name' | 'sku' | 'price'> | undefined,
): OrderLine[] {
  return items.map(({ product, name, quantity, unit_price }, at) => {
    const row = product === undefined ? undefined : productOf(product);
    const price = unit_price ?? Number(row?.price ?? 0);
    const total = BigInt(price) * BigInt(quantity);
    if (total > maximumAmount)
      throw invalidField(
        `items.${at}.${unit_price === undefined ? 'quantity' : 'unit_price'}`,
        'max',
        tooMuch,
      );
    return {
      id: newId(),
      product: product ?? null,
      name: row?.name ?? name ?? '',
      sku: row?.sku ?? null,
      quantity,
      unit_price: price,
      total: Number(total),
    };
  });
}

const tooMuch = `The amount is over ${maximumAmount}.`;

export interface Totals {
  subtotal: number;
  discount: number;
  shippingFee: number;
  tax: number;
  total: number;
}

/** Computed here, never taken from the caller. @throws AppError when a sum leaves 0 … 999 999 999 999 */
export function totalsOf(
  lines: readonly OrderLine[],
  {
    discount = 0,
    shipping_fee: shippingFee = 0,
    tax = 0,
  }: Pick<OrderCreate, 'discount' | 'shipping_fee' | 'tax'>,
): Totals {
  // At most 100 lines of 12 digits each: exact in a double.
  const subtotal = lines.reduce((sum, { total }) => sum + total, 0);
  if (subtotal > maximumAmount) throw invalidField('items', 'max', tooMuch);
  const total = subtotal - discount + shippingFee + tax;
  if (total < 0) throw invalidField('discount', 'max', 'The total would be below 0.');
  if (total > maximumAmount) throw invalidField(tax > shippingFee ? 'tax' : 'shipping_fee', 'max', tooMuch);
  return { subtotal, discount, shippingFee, tax, total };
}
