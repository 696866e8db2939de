import { beforeAll, describe, expect, it } from 'vitest';
import { type Conversation, ConversationPage } from '../schema/conversations.ts';
import { createAgent } from '../server/account/agents.ts';
import type { Client } from './support/client.ts';
import { insertConversations, insertMessages } from './support/rows.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let api: Client;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
});

/** Walks the list to its end and checks what every page promises. */
async function walk(client: Client, query: Record<string, string | number> = {}): Promise<Conversation[]> {
  const all: Conversation[] = [];
  let cursor: string | null = null;
  do {
    const answer = await client.get('/conversations', { ...query, ...(cursor === null ? {} : { cursor }) });
    expect(answer.status).toBe(200);
    const { data, meta } = ConversationPage.parse(answer.body);
    expect(Object.keys(meta)).toEqual(['next_cursor', 'has_more', 'total_unread']);
    expect(meta.has_more).toBe(meta.next_cursor !== null);
    expect(data.length).toBeLessThanOrEqual(Number(query['limit'] ?? 25));
    all.push(...data);
    cursor = meta.next_cursor;
  } while (cursor !== null);
  return all;
}

describe('paging', () => {
  let big: Client;

  beforeAll(async () => {
    const other = await server().company();
    big = await other.client();
    // Half of them share one moment.
    await insertConversations(server().app, other.id, 1_000, (n) => ({
      last_message_at: new Date(Date.UTC(2026, 0, 1) + (n < 500 ? 0 : n * 1_000)),
      unread_count: n % 10 === 0 ? 1 : 0,
    }));
  });

  it.each([7, 25, 100])(
    'limit=%i gives every conversation exactly once, newest activity first',
    async (limit) => {
      const rows = await walk(big, { limit });
      expect(new Set(rows.map(({ id }) => id)).size).toBe(1_000);
      expect(rows).toHaveLength(1_000);
      const keys = rows.map((row) => `${row.last_message_at} ${row.id}`);
      expect(keys).toEqual([...keys].sort().reverse());
    },
  );

  it('counts unread ones of the company, whatever the filters', async () => {
    for (const query of [{}, { limit: 1 }, { status: 'closed' }, { read: 'true' }, { q: 'nobody at all' }]) {
      const { meta } = (await big.get('/conversations', query as never)).body;
      expect(meta.total_unread, JSON.stringify(query)).toBe(100);
    }
    expect(
      (await (await (await server().company()).client()).get('/conversations')).body.meta.total_unread,
    ).toBe(0);
  });

  it('says that there is no more when exactly limit rows are left', async () => {
    const own = await server().company();
    const client = await own.client();
    await insertConversations(server().app, own.id, 4);
    const first = await client.get('/conversations', { limit: 2 });
    const second = await client.get('/conversations', { limit: 2, cursor: first.body.meta.next_cursor });
    expect(second.body.meta).toEqual({ next_cursor: null, has_more: false, total_unread: 0 });
  });

  it('refuses a cursor that was changed, or comes from elsewhere', async () => {
    const { next_cursor: cursor } = (await big.get('/conversations', { limit: 1 })).body.meta;
    const foreign = await (await server().company()).client();
    const tries: [Client, Record<string, string>][] = [
      [big, { cursor: `${cursor}A` }],
      [big, { cursor: 'nonsense' }],
      [big, { cursor, status: 'open' }],
      [big, { cursor, q: 'x' }],
      [foreign, { cursor }],
    ];
    for (const [client, query] of tries) {
      const answer = await client.get('/conversations', query);
      expect([answer.status, answer.body.error?.param]).toEqual([422, 'cursor']);
    }
    expect((await big.get('/conversations', { cursor, limit: 7 })).status).toBe(200);
  });
});

describe('filters', () => {
  const names = new Map<string, string>();
  let tag: string;
  let contact: string;
  const matched = async (query: Record<string, string>, client = api): Promise<string[]> =>
    (await walk(client, query)).map(({ id }) => names.get(id) ?? id).sort();

  beforeAll(async () => {
    const { app } = server();
    const ana = await createAgent(app, { company: company.id, email: 'ana@example.com', name: 'Ana' });
    tag = (await api.post('/tags', { name: 'vip' })).body.data.id;
    contact = (await api.post('/contacts', { name: 'Çelik 100%', phone: '+351912345678' })).body.data.id;
    const hour = 3_600_000;
    const rows: [string, object][] = [
      ['plain', {}],
      ['closed', { status: 'closed' }],
      ['mine', { assignee_id: company.owner.id }],
      ['anas', { assignee_id: ana.id }],
      ['whatsapp', { channel: 'whatsapp' }],
      ['tagged', { tag_ids: [tag] }],
      ['celik', { contact_id: contact }],
      ['archived', { archived: true }],
      ['unread', { unread_count: 3 }],
      ['muted', { muted: true }],
      ['mutedUntil', { muted_until: new Date(Date.now() + hour) }],
      ['muteOver', { muted_until: new Date(Date.now() - hour) }],
      ['rated', { rating: 4 }],
      ['old', { last_message_at: new Date(Date.now() - 40 * 24 * hour) }],
    ];
    const ids = await insertConversations(app, company.id, rows.length, (n) => rows[n]![1]);
    ids.forEach((id, n) => names.set(id, rows[n]![0]));
    const say = async (name: string, text: string) => {
      const id = [...names].find(([, one]) => one === name)![0];
      await insertMessages(app, company.id, id, [{ text }]);
    };
    await say('plain', 'Where is my Zebra_lamp? 100% sure');
    await say('closed', 'the zebra again');
  });

  const others = (...without: string[]) =>
    [...names.values()].filter((name) => !without.includes(name)).sort();

  it.each([
    [{ status: 'closed' }, () => ['closed']],
    [{ status: 'open' }, () => others('closed')],
    [{ assignee: 'me' }, () => ['mine']],
    [{ assignee: 'ANA@example.com' }, () => ['anas']],
    [{ assignee: 'nobody@example.com' }, () => []],
    [{ channel: 'whatsapp' }, () => ['whatsapp']],
    [{ channel: 'WhatsApp' }, () => ['whatsapp']],
    [{ channel: 'pigeon' }, () => []],
    [{ archived: 'true' }, () => ['archived']],
    [{ archived: '0' }, () => others('archived')],
    [{}, () => others()],
    [{ unassigned: '1' }, () => others('mine', 'anas')],
    [{ unassigned: 'false' }, () => ['anas', 'mine']],
    [{ unassigned: 'true', assignee: 'me' }, () => []],
    [{ read: 'false' }, () => ['unread']],
    [{ read: '1' }, () => others('unread')],
    [{ muted: 'true' }, () => ['muted', 'mutedUntil']],
    [{ muted: 'false' }, () => others('muted', 'mutedUntil')],
    [{ rating: '4' }, () => ['rated']],
    [{ rating: '5' }, () => []],
    [{ tag: 'unknown' }, () => []],
    [{ contact: '01JQZ7K3M9V5T2XH8C4B6N0DFX' }, () => []],
    [{ q: 'zebra' }, () => ['closed', 'plain']],
    [{ q: 'ZEBRA_' }, () => ['plain']],
    [{ q: 'zebra', status: 'open' }, () => ['plain']],
    [{ q: '100%' }, () => ['celik', 'plain']],
    [{ q: 'celik' }, () => ['celik']],
    [{ q: '912 345 678' }, () => ['celik']],
    [{ q: '+351 912-345' }, () => ['celik']],
    [{ q: 'çe' }, () => ['celik']],
    [{ q: '35' }, () => ['celik']],
    [{ q: 'no such thing' }, () => []],
    [{ q: '%%%' }, () => []],
    [{ q: '' }, () => others()],
  ] as [Record<string, string>, () => string[]][])('%j', async (query, expected) => {
    expect(await matched(query)).toEqual(expected());
    expect(await matched({ ...query, limit: '2' })).toEqual(expected());
  });

  it('by tag and contact', async () => {
    expect(await matched({ tag })).toEqual(['tagged']);
    expect(await matched({ contact })).toEqual(['celik']);
  });

  it('me is the acting user', async () => {
    const ana = await company.client({ user: 'ana@example.com', scopes: ['inbox.access'] });
    expect(await matched({ assignee: 'me' }, ana)).toEqual(['anas']);
  });

  it("a foreign company's ids match nothing", async () => {
    const other = await (await server().company()).client();
    expect(await matched({ tag }, other)).toEqual([]);
    expect(await matched({ contact }, other)).toEqual([]);
  });

  it.each([
    ['status', 'pending'],
    ['assignee', 'x'.repeat(192)],
    ['channel', 'x'.repeat(31)],
    ['tag', 'x'.repeat(27)],
    ['contact', 'x'.repeat(27)],
    ['q', 'x'.repeat(192)],
    ['q', '\0'],
    ['archived', 'yes'],
    ['unassigned', '2'],
    ['read', ''],
    ['muted', 'TRUE'],
    ['period', 'year'],
    ['rating', '0'],
    ['rating', '6'],
    ['rating', '1.5'],
    ['limit', '0'],
    ['limit', '101'],
  ])('refuses %s=%j', async (name, value) => {
    const answer = await api.get('/conversations', { [name]: value });
    expect([answer.status, answer.body.error?.param]).toEqual([422, name]);
  });
});

describe('common words', () => {
  it('are found by walking, beside rare ones in the other place', async () => {
    const own = await server().company();
    const client = await own.client();
    const ids = await insertConversations(server().app, own.id, 600);
    for (const id of ids.slice(0, 3))
      await insertMessages(server().app, own.id, id, [{ text: 'contact us' }]);
    await server().app.pool.query(
      `INSERT INTO messages (company_id, id, conversation_id, contact_id, channel_id, direction, type, text, status,
         author_type, at)
       SELECT company_id, left(id, 20) || lpad(row_number() OVER ()::text, 6, '0'), id, contact_id, channel_id,
         'inbound', 'text', 'hello world', 'received', 'contact', last_message_at - interval '1 s'
       FROM conversations WHERE company_id = $1`,
      [own.id],
    );
    const count = async (q: string) => (await walk(client, { q, limit: 100 })).length;
    expect(await count('hello')).toBe(600);
    expect(await count('contact')).toBe(600);
    expect(await count('contact us')).toBe(3);
    expect(await count('Contact 59')).toBe(11);
    expect(await count('co')).toBe(600);
    const tag = (await client.post('/tags', { name: 'all' })).body.data.id;
    for (let at = 0; at < 600; at += 200) {
      const conversation_ids = ids.slice(at, at + 200);
      await client.post('/conversations/bulk', { conversation_ids, action: 'tag', tag });
    }
    expect(await walk(client, { tag, limit: 100 })).toHaveLength(600);
    expect(await walk(client, { tag, q: 'contact us' })).toHaveLength(3);
  });
});

describe('period', () => {
  it("is the company's day, ISO week and month", async () => {
    const own = await server().company();
    const { app, clock } = server();
    await app.pool.query(`UPDATE companies SET timezone = 'Pacific/Auckland' WHERE id = $1`, [own.id]);
    const client = await own.client();
    // Noon of Wednesday, 14 January 2026 in Auckland (UTC+13).
    clock.advance(Date.UTC(2026, 0, 13, 23) - clock.now().getTime());
    const at = (iso: string) => ({ last_message_at: new Date(iso) });
    const rows = [
      at('2026-01-14T00:00:00+13:00'),
      at('2026-01-13T23:59:59+13:00'),
      at('2026-01-12T00:00:00+13:00'),
      at('2026-01-11T23:59:59+13:00'),
      at('2026-01-01T00:00:00+13:00'),
      at('2025-12-31T23:59:59+13:00'),
    ];
    await insertConversations(app, own.id, rows.length, (n) => rows[n]!);
    const count = async (period: string) => (await walk(client, { period })).length;
    expect([await count('today'), await count('week'), await count('month')]).toEqual([1, 3, 5]);
  });
});
