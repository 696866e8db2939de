import { beforeAll, describe, expect, it } from 'vitest';
import { orderTransitions, type OrderStatus } from '../schema/orders.ts';
import type { Client } from './support/client.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addContact, addProduct, flight, tally } from './support/shop.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let contact: string;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  contact = await addContact(api);
});

const order = (items: object[]) => api.post('/orders', { contact, items });
const advance = (id: string, fields: object) => api.post(`/orders/${id}/advance`, fields);
const outcome = ({ status, body }: Awaited<ReturnType<typeof order>>) =>
  status === 422 ? `422 ${body.error.details[0].code}` : String(status);

/** What must hold of every product at any time; names the products where it does not. */
async function violations() {
  const { rows } = await server().app.pool.query(
    `SELECT p.id, p.stock, p.reserved,
       (SELECT sum(quantity) FROM stock_movements m WHERE m.company_id = p.company_id AND m.product_id = p.id)::int AS ledger,
       (SELECT coalesce(sum(i.quantity), 0) FROM order_items i
         JOIN orders o ON o.company_id = i.company_id AND o.id = i.order_id
         WHERE i.company_id = p.company_id AND i.product_id = p.id
           AND o.status IN ('pending', 'confirmed', 'processing'))::int AS held
     FROM products p`,
  );
  return rows.filter(({ stock, reserved, ledger, held }) => stock !== ledger || reserved !== held);
}

describe('stock under concurrency', () => {
  it('sells exactly what there is: 500 orders on 50, twenty times [S1]', async () => {
    for (let round = 0; round < 20; round++) {
      const product = await addProduct(api, { stock: 50 });
      const answers = await flight(500, 500, () => order([{ product, quantity: 1 }]));
      expect(tally(answers.map(outcome))).toEqual({ 201: 50, '422 insufficient_stock': 450 });
      expect((await api.get(`/products/${product}`)).body.data).toMatchObject({
        stock: 50,
        reserved: 50,
        available: 0,
      });
    }
    expect(await violations()).toEqual([]);
  }, 300_000);

  it('refuses for want of stock only: 2,000 orders of 4 of 10 products, 64 in flight [S3, O4]', async () => {
    const products: string[] = [];
    for (let n = 0; n < 10; n++) products.push(await addProduct(api, { stock: 700 }));
    const pick = (n: number) =>
      [0, 1, 2, 3].map((line) => ({ product: products[(n * 7 + line * (1 + (n % 3))) % 10], quantity: 1 }));
    // Lines come in any order; so do the locks that an unsorted update would take.
    const answers = await flight(2_000, 64, (n) => order(n % 2 ? pick(n) : pick(n).reverse()));
    const counts = tally(answers.map(outcome));
    expect(Object.keys(counts).sort()).toEqual(['201', '422 insufficient_stock']);
    expect(await violations()).toEqual([]);
    const { rows } = await server().app.pool.query(
      'SELECT sum(reserved)::int AS held FROM products WHERE id = ANY($1)',
      [products],
    );
    expect(rows[0].held).toBe(4 * Number(counts['201']));
  }, 300_000);

  it('comes back once when an order is cancelled fifty times at once [S4]', async () => {
    const product = await addProduct(api, { stock: 10 });
    for (let round = 0; round < 10; round++) {
      const { id } = (await order([{ product, quantity: 7 }])).body.data;
      const answers = await flight(50, 50, () => advance(id, { status: 'cancelled' }));
      expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
      expect((await api.get(`/products/${product}`)).body.data).toMatchObject({ stock: 10, reserved: 0 });
      const { status_history: history } = (await api.get(`/orders/${id}`)).body.data;
      expect(history.map(({ status }: { status: string }) => status)).toEqual(['pending', 'cancelled']);
    }
    expect(await violations()).toEqual([]);
  }, 60_000);

  it('is taken once when an order is shipped fifty times at once, and comes back once', async () => {
    const product = await addProduct(api, { stock: 10 });
    const { id } = (await order([{ product, quantity: 4 }])).body.data;
    await advance(id, { status: 'confirmed' });
    await flight(50, 50, () => advance(id, { status: 'shipped' }));
    expect((await api.get(`/products/${product}`)).body.data).toMatchObject({ stock: 6, reserved: 0 });
    await flight(50, 50, () => advance(id, { status: 'returned' }));
    expect((await api.get(`/products/${product}`)).body.data).toMatchObject({ stock: 10, reserved: 0 });
    expect(await violations()).toEqual([]);
  });
});

describe('orders under concurrency', () => {
  it('take one step for each 200: 1,000 racing advances leave no illegal history [S6]', async () => {
    const product = await addProduct(api, { stock: 1_000 });
    const ids: string[] = [];
    for (let n = 0; n < 100; n++) ids.push((await order([{ product, quantity: 2 }])).body.data.id);
    const wishes: object[] = [
      {},
      { status: 'confirmed' },
      { status: 'cancelled' },
      { status: 'shipped' },
      { payment_status: 'paid' },
      {},
      { status: 'completed' },
      { status: 'cancelled', payment_status: 'refunded' },
      { status: 'returned' },
      {},
    ];
    const answers = await flight(1_000, 64, (n) =>
      advance(ids[n % 100] as string, wishes[(n * 3 + Math.floor(n / 100)) % 10] as object),
    );
    expect(Object.keys(tally(answers.map(({ status }) => status))).sort()).toEqual(['200', '409']);
    for (const id of ids) {
      const { status, status_history: history } = (await api.get(`/orders/${id}`)).body.data;
      const statuses: OrderStatus[] = history.map((step: { status: OrderStatus }) => step.status);
      expect(statuses[0]).toBe('pending');
      expect(statuses.at(-1)).toBe(status);
      for (const [n, to] of statuses.slice(1).entries())
        expect(orderTransitions[statuses[n] as OrderStatus].to).toContain(to);
      const times = history.map(({ at }: { at: string }) => at);
      expect(new Set(times).size).toBe(times.length);
      expect([...times].sort()).toEqual(times);
    }
    // The database's own record, payment steps included, is a chain as well.
    const { rows } = await server().app.pool.query(
      `SELECT * FROM (
         SELECT from_status, lag(status) OVER (PARTITION BY order_id ORDER BY at) AS last FROM order_status_changes
         WHERE company_id = $1
       ) steps WHERE from_status IS DISTINCT FROM last`,
      [company.id],
    );
    expect(rows).toEqual([]);
    expect(await violations()).toEqual([]);
  }, 60_000);
});
