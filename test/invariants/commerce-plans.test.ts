import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { connect } from '../support/connect.ts';
import { planOf, recordQueries } from '../support/queries.ts';
import { type TestCompany, useServer } from '../support/server.ts';

const server = useServer();
let company: TestCompany;
let api: Client;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  // Bulk takes longer than a request's query may.
  const pool = await connect(server().databaseUrl);
  const id = (prefix: string) => `'01JQZ7K3M9V5T${prefix}' || lpad(n::text, 12, '0')`;
  const at = "timestamptz '2026-01-01' + n * interval '1 minute'";
  await pool.query(
    `INSERT INTO products (company_id, id, name, sku, price, currency, status, stock, created_at)
     SELECT $1, ${id('P')}, 'Product ' || (n * 7919) % 30000, 'SKU-' || n, n, 'USD',
       CASE WHEN n % 50 = 0 THEN 'draft' ELSE 'active' END, n % 20, ${at} FROM generate_series(1, 30000) n`,
    [company.id],
  );
  const contacts = `WITH made AS (
    INSERT INTO contacts (company_id, id, name, created_at)
    SELECT $1, ${id('C')}, 'Person ' || n, ${at} FROM generate_series(1, 3000) n RETURNING 1
  ) SELECT count(*) FROM made`;
  await pool.query(contacts, [company.id]);
  await pool.query(
    `INSERT INTO orders (company_id, id, number, contact_id, status, payment_status, currency, subtotal, total,
       placed_at, created_at)
     SELECT $1, ${id('R')}, n, '01JQZ7K3M9V5TC' || lpad((n % 3000 + 1)::text, 12, '0'),
       CASE WHEN n % 10 = 0 THEN 'shipped' ELSE 'pending' END, CASE WHEN n % 20 = 0 THEN 'paid' ELSE 'unpaid' END,
       'USD', 100, 100, ${at}, ${at} FROM generate_series(1, 30000) n`,
    [company.id],
  );
  await pool.query('ANALYZE orders, contacts');
  await pool.query(
    `INSERT INTO order_items (company_id, id, order_id, position, name, quantity, unit_price, total)
     SELECT company_id, overlay(id placing 'J' from 14), id, 0, 'Line', 1, 100, 100 FROM orders WHERE company_id = $1`,
    [company.id],
  );
  await pool.query(
    `INSERT INTO order_status_changes (company_id, id, order_id, status, payment_status, at)
     SELECT company_id, overlay(id placing 'S' from 14), id, 'pending', 'unpaid', created_at
     FROM orders WHERE company_id = $1`,
    [company.id],
  );
  await pool.query(
    `INSERT INTO bookings (company_id, id, title, starts_at, ends_at, timezone, agent_id)
     SELECT $1, ${id('B')}, 'many', t, t + interval '30 minutes', 'UTC', $2
     FROM generate_series(1, 30000) n, LATERAL (SELECT timestamptz '2020-01-01' + n * interval '1 hour' AS t) AS at`,
    [company.id, company.owner.id],
  );
  await pool.query('VACUUM ANALYZE products, orders, order_items, order_status_changes, bookings, contacts');
  await pool.end();
}, 300_000);

/** Walks two pages, so that the plan with a cursor is seen too. */
async function nodesOf(path: string, query: Record<string, string>): Promise<string[]> {
  const statements = await recordQueries(server().app, async () => {
    const first = await api.get(path, query);
    expect(first.status, first.text).toBe(200);
    const cursor: string | null = first.body.meta?.next_cursor ?? null;
    if (cursor !== null) await api.get(path, { ...query, cursor });
  });
  expect(statements.length).toBeGreaterThan(0);
  const plans = await Promise.all(statements.map((statement) => planOf(server().app, statement)));
  return plans.flat().map((node) => `${node['Node Type']} ${node['Relation Name'] ?? ''}`);
}

describe('lists are served by an index, without a scan or a sort of a tenant table', () => {
  it.each([
    ['/products', {}],
    ['/products', { sort: 'name' }],
    ['/products', { status: 'active' }],
    ['/products', { in_stock: 'true' }],
    ['/products', { q: 'product 424' }],
    ['/products', { q: 'sku-4242' }],
    ['/orders', {}],
    ['/orders', { status: 'shipped' }],
    ['/orders', { payment_status: 'paid' }],
    ['/orders', { contact: '01JQZ7K3M9V5TC000000000042' }],
    ['/orders', { from: '2026-01-10', to: '2026-01-12' }],
    ['/orders', { q: 'person 42' }],
    ['/orders', { q: '4242' }],
    ['/bookings', { from: '2021-03-01', to: '2021-03-08' }],
    ['/bookings', { from: '2021-03-01', to: '2021-03-08', status: 'confirmed' }],
  ] as [string, Record<string, string>][])('%s %j', async (path, query) => {
    for (const name of await nodesOf(path, query)) {
      expect(name).not.toMatch(
        /^Seq Scan (products|orders|order_items|order_status_changes|bookings|contacts)/,
      );
      if (!('q' in query)) expect(name).not.toMatch(/Sort/);
    }
  });

  it('and so is availability', async () => {
    const query = { agent_email: company.owner.email, from: '2021-03-01', to: '2021-03-08' };
    const names = await nodesOf('/availability', query);
    expect(names.filter((name) => name.startsWith('Seq Scan bookings'))).toEqual([]);
  });
});

describe('a page is one statement', () => {
  it.each([
    ['/products', { limit: '1' }],
    ['/products', { limit: '100' }],
    ['/orders', { limit: '1' }],
    ['/orders', { limit: '100' }],
    ['/bookings', { from: '2021-03-01', to: '2021-03-02' }],
  ] as [string, Record<string, string>][])('%s %j', async (path, query) => {
    expect(await recordQueries(server().app, () => api.get(path, query))).toHaveLength(1);
  });

  it('and so is one order', async () => {
    const path = '/orders/01JQZ7K3M9V5TR000000000042';
    expect(await recordQueries(server().app, () => api.get(path))).toHaveLength(1);
  });
});
