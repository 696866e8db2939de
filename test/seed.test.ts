import { describe, expect, test } from 'vitest';
import { parsePhone } from '../server/contacts/phone.ts';
import { SeedPlan, type SeedOptions } from '../server/seed/plan.ts';
import { seedCompany } from '../server/seed/seed.ts';
import { expectConsistent } from './support/ledgers.ts';
import { useServer } from './support/server.ts';

const server = useServer();

const counts = { contacts: 40, conversations: 60, messages: 601, products: 10, orders: 120 };
const small = { seed: 'test', ...counts };
const tables = [
  'contacts',
  'conversations',
  'messages',
  'notes',
  'timeline_events',
  'products',
  'orders',
  'order_items',
];

function seed(companyId: string, more: Partial<SeedOptions> = {}) {
  return seedCompany(server().databaseUrl, { companyId, ...small, ...more });
}

async function digest(companyId: string): Promise<unknown> {
  const parts = tables.map(
    (table) =>
      `(SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) FROM ${table} t WHERE company_id = $1) AS ${table}`,
  );
  const { rows } = await server().app.pool.query(`SELECT ${parts.join(', ')}`, [companyId]);
  return rows[0];
}

describe('a small seed', () => {
  test('inserts what was asked for, in rows that agree with each other', async () => {
    const { id } = await server().company();
    expect(await seed(id)).toEqual(counts);
    await expectConsistent(server().app, id);
    const { rows } = await server().app.pool.query(
      `SELECT count(DISTINCT status)::int AS statuses FROM orders WHERE company_id = $1`,
      [id],
    );
    expect(rows[0].statuses).toBeGreaterThanOrEqual(5);
  });

  test('twice is once: the second run finds everything there', async () => {
    const { id } = await server().company();
    await seed(id);
    const before = await digest(id);
    expect(await seed(id)).toEqual({ contacts: 0, conversations: 0, messages: 0, products: 0, orders: 0 });
    expect(await digest(id)).toEqual(before);
  });

  test('can grow, and a second seed has its own records', async () => {
    const { id } = await server().company();
    await seed(id);
    expect(await seed(id, { contacts: 50 })).toMatchObject({ contacts: 10, orders: 0 });
    expect(await seed(id, { seed: 'another' })).toEqual(counts);
    await expectConsistent(server().app, id);
  });

  test('gives a company made anew the same rows', async () => {
    const { id } = await server().company();
    await seed(id);
    const first = await digest(id);
    await server().app.pool.query(
      `TRUNCATE contacts, conversations, messages, products, orders, order_counters, channels CASCADE`,
    );
    await seed(id);
    expect(await digest(id)).toEqual(first);
  });

  test.each([{ contacts: 0 }, { conversations: 0 }, { products: 0 }])(
    'is refused where something has nothing to belong to: %j',
    async (more) => {
      const { id } = await server().company();
      await expect(seed(id, more)).rejects.toThrow(RangeError);
    },
  );
});

test('many messages into a database with few leave the schema as it was', async () => {
  const { id } = await server().company();
  const schema = async () => {
    const { rows } = await server().app.pool.query(
      `SELECT conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) AS part FROM pg_constraint
       WHERE connamespace = 'public'::regnamespace
       UNION SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`,
    );
    return rows;
  };
  const before = await schema();
  const asked = { contacts: 500, conversations: 2_000, messages: 50_000, products: 0, orders: 0 };
  expect(await seed(id, asked)).toMatchObject({ conversations: 2_000, messages: 50_000 });
  expect(await schema()).toEqual(before);
  await expectConsistent(server().app, id);
}, 300_000);

test('phones are possible numbers, each once', () => {
  const plan = new SeedPlan({ companyId: '01JQZ7K3M9V5T2XH8C4B6N0DFG', ...small });
  const phones = Array.from({ length: 2_000 }, (_, index) => plan.person(index).phone);
  expect(phones.filter((phone) => parsePhone(phone)?.number !== phone)).toEqual([]);
  expect(new Set(phones.map((phone) => parsePhone(phone)?.key)).size).toBe(2_000);
});

test('lengths of conversations add up', () => {
  const plan = new SeedPlan({
    companyId: '01JQZ7K3M9V5T2XH8C4B6N0DFG',
    ...small,
    conversations: 77,
    messages: 1_003,
  });
  const lengths = Array.from({ length: 77 }, (_, index) => plan.lengthOf(index));
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(1_003);
  expect(Math.min(...lengths)).toBeGreaterThanOrEqual(0);
});
