import { beforeAll, describe, expect, it } from 'vitest';
import { seedCompany } from '../../server/seed/seed.ts';
import { newId } from '../../server/platform/ids.ts';
import { ownerPage, type Page } from '../support/page.ts';
import { reached } from '../support/reached.ts';
import { scaled } from '../support/scale.ts';
import { useServer } from '../support/server.ts';
import { addSimulator } from '../support/simulator.ts';

const server = useServer({ LOG_LEVEL: 'silent' });
const rows = scaled(12, 5_000);
/** So many of them have one moment. */
const together = scaled(5, 1_000);
const limits = [100, 25, 2, 1];

/** Each list with its table, and what its order goes by. */
const lists: [name: string, table: string, moment: string][] = [
  ['campaigns.list', 'campaigns', 'created_at'],
  ['contacts.list', 'contacts', 'created_at'],
  ['contacts.records', 'contacts', 'created_at'],
  ['conversations.list', 'conversations', 'last_message_at'],
  ['messages.list', 'messages', 'at'],
  ['orders.list', 'orders', 'placed_at'],
  ['products.list', 'products', 'created_at'],
  ['products.records', 'products', 'created_at'],
  ['quickReplies.list', 'quick_replies', 'created_at'],
  ['tags.list', 'tags', 'created_at'],
];

let company: string;
let page: Page;

beforeAll(async () => {
  const made = await server().company();
  company = made.id;
  page = await ownerPage(server().url, made);
  const { id: channel } = await addSimulator(server().app, company);
  const counts = { contacts: rows, conversations: rows, messages: rows, products: rows, orders: rows };
  await seedCompany(server().databaseUrl, { companyId: company, seed: 'pages', ...counts });
  const ids = JSON.stringify(Array.from({ length: rows }, newId));
  const insert = (columns: string, values: string, ...given: unknown[]) =>
    server().app.pool.query(
      `INSERT INTO ${columns} SELECT $1, id, ${values} FROM json_array_elements_text($2) WITH ORDINALITY AS given (id, n)`,
      [company, ids, ...given],
    );
  await insert('tags (company_id, id, name)', `'Tag ' || n`);
  await insert('quick_replies (company_id, id, shortcut, text)', `'reply-' || n, 'Hello'`);
  await insert(
    'campaigns (company_id, id, name, channel_id, status)',
    `'Campaign ' || n, $3, 'draft'`,
    channel,
  );
  for (const [, table, moment] of lists) {
    await server().app.pool.query(
      `UPDATE ${table} SET ${moment} = '2026-03-01T09:30:00Z' WHERE (company_id, id) IN
         (SELECT company_id, id FROM ${table} WHERE company_id = $1 ORDER BY id LIMIT $2)`,
      [company, together],
    );
  }
});

async function walk(name: string, limit: number): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer = await page.query(name, { limit, ...(cursor === '' ? {} : { cursor }) });
    expect(answer.status, answer.text).toBe(200);
    const { data, meta } = answer.body.result.data;
    found.push(...data.map(({ id }: { id: string }) => id));
    expect(meta.has_more).toBe(meta.next_cursor !== null);
    // A page is full as long as there is another.
    expect(data).toHaveLength(meta.has_more ? limit : data.length);
    cursor = meta.next_cursor;
  }
  return found;
}

describe(`lists of ${rows} records, ${together} of them of one moment, have each on one page [P1]`, () => {
  it.each(lists)('%s', async (name, table) => {
    const { rows: all } = await server().app.pool.query<{ id: string }>(
      `SELECT id FROM ${table} WHERE company_id = $1 ORDER BY id`,
      [company],
    );
    expect(all.length).toBeGreaterThanOrEqual(rows);
    for (const limit of limits) {
      const found = await walk(name, limit);
      expect(found.toSorted()).toEqual(all.map(({ id }) => id));
    }
    reached('P1', `${lists.length} lists of ${rows} at limits ${limits.join(', ')}: each id once`);
  });
});
