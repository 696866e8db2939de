import type { ClientBase } from 'pg';
import {
  type LedgerProduct,
  type OrderPlan,
  orderRows,
  type OrderRows,
  type OrderStep,
} from '../sandbox/shop.ts';
import { inBatches, inTransaction, missing } from './batches.ts';
import { catalogueEntry } from './catalogue.ts';
import { copyRows } from './copy.ts';
import type { SeedPlan, SeedStage } from './plan.ts';
import type { Random } from './random.ts';
import { tables } from './tables.ts';

const hour = 3_600_000;
const batchSize = 2_000;
/** Parts of one order, at most. */
const partsEach = 1_024;

/** Products with their initial stock in the ledger. Returns how many were not there yet. */
export async function seedProducts(client: ClientBase, plan: SeedPlan, stage: SeedStage): Promise<number> {
  const { companyId } = plan.options;
  const at = plan.contactCreatedAt(0);
  return inBatches(client, plan, plan.options.products, batchSize, async (indexes) => {
    const fresh = await missing(client, 'products', companyId, indexes, (index) => plan.productId(index));
    const products = fresh.map((index) => ({
      companyId,
      id: plan.productId(index),
      ...catalogueEntry(plan.random('product', index), index, plan.mark),
      currency: stage.currency,
      status: index % 25 === 24 ? 'archived' : 'active',
      reserved: 0,
      createdAt: at,
      updatedAt: at,
    }));
    await copyRows(client, tables.products, products);
    const tracked = products.filter(({ stock }) => stock !== null);
    const movements = tracked.map(({ id, stock }) => ({
      companyId,
      // One initial movement a product: the product's own id serves.
      id,
      productId: id,
      orderId: null,
      kind: 'initial',
      quantity: stock,
      stockAfter: stock,
      actor: null,
      note: null,
      at,
    }));
    await copyRows(client, tables.movements, movements);
    return fresh.length;
  });
}

/** Orders, oldest first, each with its lines, its history and what it did to the stock. */
export async function seedOrders(client: ClientBase, plan: SeedPlan, stage: SeedStage): Promise<number> {
  const { orders, companyId } = plan.options;
  let inserted = 0;
  for (let last = orders - 1; last >= 0; last -= batchSize) {
    const length = Math.min(batchSize, last + 1);
    const indexes = Array.from({ length }, (_, place) => last - place);
    inserted += await inTransaction(client, async () => {
      const fresh = await missing(client, 'orders', companyId, indexes, (index) => orderId(plan, index));
      await addOrders(client, plan, stage, fresh);
      return fresh.length;
    });
    plan.options.onProgress?.(length);
  }
  return inserted;
}

async function addOrders(
  client: ClientBase,
  plan: SeedPlan,
  stage: SeedStage,
  indexes: number[],
): Promise<void> {
  if (indexes.length === 0) return;
  const products = await lockProducts(client, plan);
  const before = products.map((product) => ({ ...product }));
  const number = await takeNumbers(client, plan.options.companyId, indexes.length);
  const made: OrderRows[] = indexes.map((index, place) =>
    orderRows(orderPlan(plan, stage, products, index, number + place)),
  );
  await copyRows(
    client,
    tables.orders,
    made.map(({ order }) => order),
  );
  await copyRows(
    client,
    tables.orderItems,
    made.flatMap(({ items }) => items),
  );
  await copyRows(
    client,
    tables.orderChanges,
    made.flatMap(({ changes }) => changes),
  );
  await copyRows(
    client,
    tables.movements,
    made.flatMap(({ movements }) => movements),
  );
  await moveStock(client, plan.options.companyId, before, products);
}

/** The seed's own active products as they stand, held until the batch is in: sales go on meanwhile. */
async function lockProducts(client: ClientBase, plan: SeedPlan): Promise<LedgerProduct[]> {
  const ids = Array.from({ length: plan.options.products }, (_, index) => plan.productId(index));
  const { rows } = await client.query<Omit<LedgerProduct, 'price'> & { price: string }>(
    `SELECT id, name, sku, price, currency, stock, reserved, ordered_at AS "orderedAt" FROM products
     WHERE company_id = $1 AND id = ANY($2) AND status = 'active' ORDER BY id FOR NO KEY UPDATE`,
    [plan.options.companyId, ids],
  );
  return rows.map((row) => ({ ...row, price: Number(row.price) }));
}

/** Takes `count` order numbers in a row; returns the first. */
async function takeNumbers(client: ClientBase, companyId: string, count: number): Promise<number> {
  const { rows } = await client.query<{ last: number }>(
    `INSERT INTO order_counters (company_id, last_number) VALUES ($1, $2)
     ON CONFLICT (company_id) DO UPDATE SET last_number = order_counters.last_number + excluded.last_number
     RETURNING last_number AS last`,
    [companyId, count],
  );
  return (rows[0]?.last ?? count) - count + 1;
}

async function moveStock(
  client: ClientBase,
  companyId: string,
  before: LedgerProduct[],
  after: LedgerProduct[],
): Promise<void> {
  const moved = after.filter((product, place) => {
    const old = before[place];
    return (
      old &&
      (old.stock !== product.stock ||
        old.reserved !== product.reserved ||
        old.orderedAt !== product.orderedAt)
    );
  });
  await client.query(
    `UPDATE products SET stock = moved.stock, reserved = moved.reserved, ordered_at = moved.ordered_at
     FROM unnest($2::text[], $3::int[], $4::int[], $5::timestamptz[]) AS moved (id, stock, reserved, ordered_at)
     WHERE products.company_id = $1 AND products.id = moved.id`,
    [
      companyId,
      moved.map(({ id }) => id),
      moved.map(({ stock }) => stock),
      moved.map(({ reserved }) => reserved),
      moved.map(({ orderedAt }) => orderedAt),
    ],
  );
}

function orderId(plan: SeedPlan, index: number): string {
  return plan.ids.id('order', index * partsEach, plan.placedAt(index));
}

function orderPlan(
  plan: SeedPlan,
  stage: SeedStage,
  products: LedgerProduct[],
  index: number,
  number: number,
): OrderPlan {
  const random = plan.random('order', index);
  const { companyId, contacts, conversations } = plan.options;
  const contact = random.below(contacts);
  const placed = plan.placedAt(index);
  const items = new Map<LedgerProduct, number>();
  for (let line = random.between(1, 4); line > 0; line--)
    items.set(random.pick(products), random.between(1, 3));
  let parts = 0;
  return {
    companyId,
    id: orderId(plan, index),
    number,
    contactId: plan.contactId(contact),
    // Conversation number n is with contact n, as long as there is one.
    conversationId: contact < conversations && random.chance(50) ? plan.conversationId(contact) : null,
    source: random.pick(['api', 'agent', 'agent', 'catalog']),
    items: [...items].map(([product, quantity]) => ({ product, quantity })),
    shippingFee: random.pick([0, 490, 990]),
    steps: stepsUntil(plan.until, placed, random, stage.agents),
    partId: (_, at) => plan.ids.id('order', index * partsEach + ++parts, at),
  };
}

/**
 * What has happened to the order by the end of the seed's time. Every order ships equally long after it was placed,
 * so sales follow each other as orders do and the ledger's running stock is right.
 */
function stepsUntil(
  until: Date,
  placed: Date,
  random: Random,
  agents: SeedStage['agents'],
): [OrderStep, ...OrderStep[]] {
  const by = random.pick(agents);
  const after = (hours: number) => new Date(placed.getTime() + hours * hour);
  // Some customers never pay: their orders stay pending.
  if (random.chance(7)) return [{ at: placed, by }];
  const later: OrderStep[] = random.chance(8)
    ? [{ at: after(2), by, status: 'cancelled', note: 'Customer changed their mind.' }]
    : [
        { at: after(1), by, status: 'confirmed', payment: 'paid' },
        { at: after(4), by, status: 'processing' },
        { at: after(26), by, status: 'shipped' },
        { at: after(74), by, status: 'delivered' },
        { at: after(98), by, status: 'completed' },
      ];
  return [{ at: placed, by }, ...later.filter(({ at }) => at <= until)];
}
