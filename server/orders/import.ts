import { OrderCreate } from '../../schema/orders.ts';
import type { Context } from '../platform/context.ts';
import type { CsvSource } from '../platform/csv-file.ts';
import { importCsv } from '../platform/csv-import.ts';
import {
  checked,
  type ImportOptions,
  type ImportResult,
  type ImportRun,
  inImport,
  type Outcome,
  refusalOf,
} from '../platform/csv-plan.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { execute } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { moveStock } from '../products/stock.ts';
import { advanceOrder } from './advance.ts';
import { createOrder } from './create.ts';
import { loadReferences, type References } from './import-references.ts';
import { keyOf, maximumRows, type OrderInput, orderColumns, readOrder, stepsTo } from './import-rows.ts';
import { sumPerProduct } from './lines.ts';

/**
 * Imports orders through their service, each in a unit of work of its own: stock is reserved, totals are computed,
 * numbers run on. Rows that follow one another with the same `external_id` are the lines of one order; without one,
 * the `id` of an export stands for it. One that is there already is skipped. Other statuses than pending are reached
 * step by step, as `advance` would. `rows` counts lines, the other counts are of orders.
 * @throws CsvFileError
 */
export function importOrders(
  ctx: Context,
  source: CsvSource,
  options?: ImportOptions,
): Promise<ImportResult> {
  const seen = new Set<string>();
  // What a dry run took of each product: nothing is reserved after an order was rolled back.
  const takenBefore = new Map<string, number>();
  return importCsv<OrderInput>(
    ctx,
    {
      access: 'commerce.manage',
      columns: orderColumns,
      needed: [['external_id', 'id'], ['quantity'], ['contact', 'contact_phone', 'contact_email']],
      batch: 50,
      group: { keyOf, rows: maximumRows },
      read: (rows) => readOrder(rows, seen),
      async write(inner, run, inputs) {
        const references = await loadReferences(inner, inputs);
        const outcomes: Outcome[] = [];
        for (const input of inputs)
          outcomes.push(await writeOrder(inner, run, references, input, takenBefore));
        return outcomes;
      },
    },
    source,
    options,
  );
}

async function writeOrder(
  ctx: Context,
  run: ImportRun,
  references: References,
  input: OrderInput,
  takenBefore: Map<string, number>,
): Promise<Outcome> {
  if (references.orders.has(input.key) || (input.id !== undefined && references.orders.has(input.id)))
    return 'skipped';
  try {
    const order = orderOf(input, references);
    const quantities = sumPerProduct(order.items);
    await inImport(ctx, run, async (work) => {
      await reserveAgain(work, quantities, takenBefore);
      const { id } = await execute(createOrder, work, order);
      for (const step of stepsTo(input)) await execute(advanceOrder, work, { order: id, ...step });
    });
    if (run.dryRun && input.status !== 'cancelled' && input.status !== 'returned')
      for (const [product, quantity] of quantities)
        takenBefore.set(product, (takenBefore.get(product) ?? 0) + quantity);
    return 'created';
  } catch (error) {
    if (error instanceof AppError) return { ...refusalOf(error), ...placeOf(error, input) };
    throw error;
  }
}

/** In a dry run the orders before this one have gone; what they would have taken of its products is taken again. */
async function reserveAgain(
  work: WorkContext,
  quantities: ReadonlyMap<string, number>,
  takenBefore: ReadonlyMap<string, number>,
): Promise<void> {
  const taken = [...quantities.keys()].flatMap((id) => {
    const quantity = takenBefore.get(id);
    return quantity === undefined ? [] : [[id, quantity] as const];
  });
  if (taken.length > 0) await moveStock(work, 'reserve', new Map(taken), newId());
}

/** The body that the API would be sent. @throws AppError when the contact or a product is not there */
function orderOf(input: OrderInput, references: References): OrderCreate {
  const { contact: by, items, fields } = input;
  const contact = references.contactOf(by);
  if (contact === undefined)
    throw invalidField(
      by.phone ? 'contact_phone' : by.email ? 'contact_email' : 'contact',
      'unknown_id',
      'There is no such contact.',
    );
  return checked(OrderCreate, {
    ...fields,
    external_id: input.key,
    contact,
    items: items.map(({ product: id, sku, name, ...item }, at) => {
      if (id === undefined && sku === undefined) return { ...item, name };
      const product = references.productOf(id, sku);
      if (product === undefined)
        throw invalidField(`items.${at}.product`, 'unknown_id', 'There is no such product.');
      return { ...item, product };
    }),
  });
}

/** Where in the file the field stands that the service refuses. */
function placeOf(error: AppError, { lines, items }: OrderInput): { line?: number; param?: string | null } {
  const [, at, field] = /^items\.(\d+)(?:\.(\w+))?$/.exec(error.param ?? '') ?? [];
  if (at === undefined) return { param: error.param?.replace('shipping_address.', 'shipping_') ?? null };
  const item = items[Number(at)];
  const names: Record<string, string> = {
    product: item?.sku === undefined ? 'product' : 'sku',
    name: 'item_name',
  };
  const line = lines[Number(at)];
  return {
    ...(line === undefined ? {} : { line }),
    ...(field === undefined ? {} : { param: names[field] ?? field }),
  };
}
