import { expect, it } from 'vitest';
import { expectHealthy } from './support/healthy.ts';
import { scaled } from './support/scale.ts';
import { useServer } from './support/server.ts';
import { addContact, addProduct, flight, tally } from './support/shop.ts';

const server = useServer({ LOG_LEVEL: 'silent' });

/** Ends the connection of somebody in the middle of a transaction. */
async function cut(whose: string): Promise<void> {
  await server()
    .app.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
         AND pid <> pg_backend_pid() AND xact_start IS NOT NULL AND ${whose} ORDER BY random() LIMIT 1`,
    )
    .catch(() => undefined);
}

it('transactions that are cut at a random point leave nothing, and others all of it [D8, D1]', async () => {
  const api = await (await server().company()).client();
  const contact = await addContact(api);
  const products = await flight(3, 3, () => addProduct(api, { stock: 100_000 }));
  const state = { done: false };
  const cutting = (async () => {
    while (!state.done) {
      await cut("application_name = 'parlour'");
      // Workers, queues, listeners and probes lose theirs as well, and the process lives on.
      await cut("application_name <> 'parlour'");
      await fetch(`${server().url}/readyz`);
    }
  })();
  const answers = await flight(scaled(100, 2_000), 8, () =>
    api.post('/orders', { contact, items: products.map((product) => ({ product, quantity: 1 })) }),
  );
  state.done = true;
  await cutting;
  const statuses = tally(answers.map(({ status }) => status));
  expect(Object.keys(statuses).filter((status) => !['201', '500'].includes(status))).toEqual([]);
  expect(statuses['500']).toBeGreaterThan(0);
  const made = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.data.id));
  const { rows } = await server().app.pool.query<{ order_id: string; lines: number }>(
    'SELECT order_id, count(*)::int AS lines FROM order_items WHERE product_id = ANY($1) GROUP BY order_id',
    [products],
  );
  expect(rows.filter(({ lines }) => lines !== 3)).toEqual([]);
  // What was acknowledged is there. A commit whose answer was cut off is there as well, whole.
  const found = new Set(rows.map(({ order_id }) => order_id));
  expect([...made].filter((id) => !found.has(id))).toEqual([]);
  await expectHealthy(server().databaseUrl);
});
