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

const moment = '2026-03-01T09:30:00Z';

interface Item {
  id: string;
  contact: { id: string };
}

interface List {
  table: string;
  /** What its order goes by; set here where the rows come from elsewhere. */
  at?: string;
  /** Of the call, beside limit and cursor. */
  input?: () => object;
  /** Which rows of the table it has. */
  only?: string;
  /** What tells its items apart, where that is not `id`: in an item and in the table. */
  key?: { of: (item: Item) => string; column: string };
}

const lists: Record<string, List> = {
  'campaigns.list': { table: 'campaigns', at: 'created_at' },
  'contacts.list': { table: 'contacts', at: 'created_at' },
  'contacts.records': { table: 'contacts', at: 'created_at' },
  'conversations.list': { table: 'conversations', at: 'last_message_at' },
  'messages.list': { table: 'messages', at: 'at' },
  'orders.list': { table: 'orders', at: 'placed_at' },
  'products.list': { table: 'products', at: 'created_at' },
  'products.records': { table: 'products', at: 'created_at' },
  'quickReplies.list': { table: 'quick_replies', at: 'created_at' },
  'tags.list': { table: 'tags', at: 'created_at' },
  'campaigns.recipients': {
    table: 'campaign_recipients',
    input: () => ({ campaign }),
    key: { of: ({ contact }) => contact.id, column: 'contact_id' },
  },
  'ai.calls': { table: 'ai_ledger' },
  'audit.list': { table: 'audit_logs' },
  'deliveries.list': { table: 'webhook_deliveries' },
  'notifications.list': { table: 'notifications' },
  // The walk itself is in this log: one surface of it stays as it is.
  'requests.list': {
    table: 'request_logs',
    input: () => ({ surface: 'rest' }),
    only: `AND surface = 'rest'`,
  },
};

let company: string;
let campaign: string;
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
  const [first, owner, endpoint] = await Promise.all(
    [
      `SELECT id FROM campaigns WHERE company_id = $1 ORDER BY id LIMIT 1`,
      `SELECT id FROM users WHERE company_id = $1`,
      `INSERT INTO webhook_endpoints (company_id, id, url, events) VALUES ($1, '${newId()}', 'https://example.com', '{*}')
         RETURNING id`,
    ].map(async (sql) => (await server().app.pool.query<{ id: string }>(sql, [company])).rows[0]?.id ?? ''),
  );
  campaign = first ?? '';
  await server().app.pool.query(
    `INSERT INTO campaign_recipients (company_id, campaign_id, contact_id, position)
     SELECT $1, $2, id, row_number() OVER (ORDER BY id) FROM contacts WHERE company_id = $1`,
    [company, campaign],
  );
  // Some of these never change once they are written.
  const at = `CASE WHEN n > ${together} THEN now() - n * interval '1 second' ELSE timestamptz '${moment}' END`;
  await insert(
    'ai_ledger (company_id, id, purpose, provider, model, input_hash, latency_ms, outcome, created_at)',
    `'reply', 'built-in', 'x', sha256('x'), 1, 'ok', ${at}`,
  );
  await insert(
    'audit_logs (company_id, id, sequence, actor_type, action, target_type, at)',
    `1000000 + n, 'agent', 'contacts.update', 'contact', ${at}`,
  );
  await insert(
    'webhook_deliveries (company_id, id, endpoint_id, event_id, event_type, sequence, status, created_at)',
    `$3, id, 'order.paid', n, 'succeeded', ${at}`,
    endpoint,
  );
  await insert('notifications (company_id, id, user_id, kind, created_at)', `$3, 'mention', ${at}`, owner);
  await insert(
    'request_logs (company_id, id, surface, method, path, status, duration_ms, livemode, created_at)',
    `'rest', 'GET', '/api/v1/me', 200, 1, true, ${at}`,
  );
  for (const { table, at: column } of Object.values(lists)) {
    if (column === undefined) continue;
    await server().app.pool.query(
      `UPDATE ${table} SET ${column} = '${moment}' WHERE (company_id, id) IN
         (SELECT company_id, id FROM ${table} WHERE company_id = $1 ORDER BY id LIMIT $2)`,
      [company, together],
    );
  }
});

async function walk(name: string, { input, key }: List, limit: number): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer = await page.query(name, { ...input?.(), limit, ...(cursor === '' ? {} : { cursor }) });
    expect(answer.status, answer.text).toBe(200);
    const { data, meta } = answer.body.result.data;
    found.push(...data.map((item: Item) => (key ? key.of(item) : item.id)));
    expect(meta.has_more).toBe(meta.next_cursor !== null);
    // A page is full as long as there is another.
    expect(data).toHaveLength(meta.has_more ? limit : data.length);
    cursor = meta.next_cursor;
  }
  return found;
}

describe(`lists of ${rows} records, ${together} of them of one moment, have each on one page [P1]`, () => {
  it.each(Object.entries(lists))('%s', async (name, list) => {
    const column = list.key?.column ?? 'id';
    const { rows: all } = await server().app.pool.query<{ id: string }>(
      `SELECT ${column} AS id FROM ${list.table} WHERE company_id = $1 ${list.only ?? ''} ORDER BY ${column}`,
      [company],
    );
    expect(all.length).toBeGreaterThanOrEqual(rows);
    for (const limit of limits) {
      const found = await walk(name, list, limit);
      expect(found.toSorted()).toEqual(all.map(({ id }) => id));
    }
    const count = Object.keys(lists).length;
    reached('P1', `${count} lists of ${rows} at limits ${limits.join(', ')}: each id once`);
  });
});
