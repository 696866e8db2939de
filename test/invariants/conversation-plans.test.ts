import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { connect } from '../support/connect.ts';
import { type Plan, planOf, recordQueries } from '../support/queries.ts';
import { insertConversations } from '../support/rows.ts';
import { useServer } from '../support/server.ts';

const server = useServer();
let api: Client;
let tag: string;
let contact: string;

beforeAll(async () => {
  const { app } = server();
  const company = await server().company();
  api = await company.client();
  tag = (await api.post('/tags', { name: 'rare' })).body.data.id;
  for (let batch = 0; batch < 4; batch++) {
    const at = Date.UTC(2026, 0, 1) + batch * 5_000_000;
    await insertConversations(app, company.id, 5_000, (n) => ({
      last_message_at: new Date(at + n * 1_000),
      status: n % 3 === 0 ? 'open' : 'closed',
      unread_count: n % 20 === 0 ? 2 : 0,
      channel: ['simulator', 'whatsapp', 'email'][n % 3]!,
      assignee_id: n % 4 === 0 ? company.owner.id : null,
      archived: n % 50 === 0,
      muted: n % 100 === 0,
      rating: n % 40 === 0 ? 5 : null,
      tag_ids: n % 200 === 0 ? [tag] : [],
    }));
  }
  // A connection of its own: the pool's gives up after 10 s.
  const database = await connect(server().databaseUrl);
  await database.query('ANALYZE conversations, contacts, channels');
  for (let n = 1; n <= 5; n++) {
    await database.query(
      `INSERT INTO messages (company_id, id, conversation_id, contact_id, channel_id, direction, type, text, status,
         author_type, at)
       SELECT company_id, left(id, 19) || $2::text || lpad((row_number() OVER ())::text, 6, '0'),
         id, contact_id, channel_id, 'inbound', 'text', 'hello number ' || $2 || ' of ' || md5(id || $2), 'received',
         'contact', last_message_at - $2::int * interval '1 s'
       FROM conversations WHERE company_id = $1`,
      [company.id, String(n)],
    );
  }
  await database.query('VACUUM ANALYZE');
  await database.end();
  contact = (await api.get('/conversations', { limit: 1 })).body.data[0].contact.id;
}, 300_000);

async function statementsOf(query: Record<string, string>) {
  return recordQueries(server().app, async () => {
    const first = await api.get('/conversations', query);
    expect(first.status).toBe(200);
    const cursor: string | null = first.body.meta.next_cursor;
    if (cursor !== null) await api.get('/conversations', { ...query, cursor });
  });
}

const large = /^Seq Scan (conversations|messages|contacts|timeline_events)/;
const nameOf = (node: Plan) => `${node['Node Type']} ${node['Relation Name'] ?? ''}`;

describe('the inbox is served by an index, without a scan or a sort of a large table', () => {
  it.each([
    {},
    { limit: '100' },
    { status: 'open' },
    { status: 'closed' },
    { status: 'open', unassigned: 'true' },
    { status: 'open', assignee: 'me', archived: 'false' },
    { assignee: 'me' },
    { assignee: 'nobody@example.com' },
    { channel: 'whatsapp' },
    { read: 'false' },
    { read: 'true' },
    { archived: 'true' },
    { muted: 'true' },
    { muted: 'false' },
    { period: 'month' },
    { rating: '5' },
    { contact: 'contact' },
    { tag: 'tag' },
    { q: 'hello' },
    { q: 'no such words anywhere' },
    { q: 'contact 4999' },
    { q: 'co' },
  ] as Record<string, string>[])('%j', async (query) => {
    const given = { ...query, ...(query['tag'] ? { tag } : {}), ...(query['contact'] ? { contact } : {}) };
    const statements = await statementsOf(given);
    expect(statements.length).toBeGreaterThan(0);
    for (const statement of statements) {
      const plan = await planOf(server().app, statement);
      for (const node of plan) {
        expect(nameOf(node)).not.toMatch(large);
        // What was narrowed to at most 500 ids is sorted; everything else comes in order, and only a page is sorted.
        if (!('q' in query || 'tag' in query)) {
          if (/Sort/.test(node['Node Type'])) expect(node['Plan Rows']).toBeLessThanOrEqual(101);
        }
      }
    }
  });
});

describe('statements', () => {
  it.each(['1', '10', '100'])('a page of %s conversations is one', async (limit) => {
    expect(await recordQueries(server().app, () => api.get('/conversations', { limit }))).toHaveLength(1);
  });

  it('with a search or a tag it is two', async () => {
    const query = { q: 'hello', tag, status: 'open' };
    expect(await recordQueries(server().app, () => api.get('/conversations', query))).toHaveLength(2);
  });

  it('and one conversation is one', async () => {
    const { id } = (await api.get('/conversations', { limit: 1 })).body.data[0];
    expect(await recordQueries(server().app, () => api.get(`/conversations/${id}`))).toHaveLength(1);
  });

  it('over GraphQL a page with contacts, tags, followers and presence is the same for 1 and 20', async () => {
    const query = `query ($first: Int) { conversations(first: $first) { totalUnread items {
      id contact { name profile { country } } assignee { email } tags(first: 3) { name } followersCount
      presence { locked } lastMessage { snippet } } } }`;
    const counts: number[] = [];
    for (const first of [1, 20]) {
      const statements = await recordQueries(server().app, async () => {
        const { body } = await api.graphql(query, { first });
        expect(body.errors).toBeUndefined();
        expect(body.data.conversations.items).toHaveLength(first);
      });
      counts.push(statements.filter(({ text }) => !text.includes('api_keys')).length);
    }
    expect(counts[0]! - counts[1]!).toBeLessThanOrEqual(0);
    expect(counts[1]).toBeLessThanOrEqual(5);
  });
});
