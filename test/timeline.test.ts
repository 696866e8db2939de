import { beforeAll, describe, expect, it } from 'vitest';
import { type TimelineEntry, TimelinePage } from '../schema/timeline.ts';
import { newId } from '../server/platform/ids.ts';
import type { Client } from './support/client.ts';
import { uploadTo } from './support/media.ts';
import { ownerPage, type Page } from './support/page.ts';
import { planOf, recordQueries } from './support/queries.ts';
import { insertConversations, insertMessages } from './support/rows.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let api: Client;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
});

const create = async (row = {}): Promise<string> =>
  (await insertConversations(server().app, company.id, 1, () => row))[0]!;
const page = async (id: string, query = {}) => {
  const answer = await api.get(`/conversations/${id}/timeline`, query);
  expect(answer.status).toBe(200);
  return TimelinePage.parse(answer.body);
};

/** Walks toward older entries to the end. */
async function walk(id: string, limit: number): Promise<TimelineEntry[]> {
  const all: TimelineEntry[] = [];
  let before: string | null = null;
  do {
    const { data, meta }: TimelinePage = await page(id, { limit, ...(before === null ? {} : { before }) });
    expect(data.length).toBeLessThanOrEqual(limit);
    expect(meta.has_more).toBe(meta.next_before !== null);
    if (meta.has_more) expect(meta.next_before).toBe(data.at(-1)!.at);
    all.push(...data);
    before = meta.next_before;
  } while (before !== null);
  return all;
}

describe('the timeline', () => {
  it('merges messages, notes and events, newest first', async () => {
    const id = await create();
    await insertMessages(server().app, company.id, id, [{ text: 'hello' }, { text: 'there' }]);
    await api.post(`/conversations/${id}/notes`, { body: 'a note' });
    await api.post(`/conversations/${id}/assign`, { assignee: 'me' });
    const { data, meta } = await page(id);
    expect(meta).toEqual({ has_more: false, next_before: null });
    expect(data.map((entry) => entry.kind)).toEqual(['event', 'note', 'message', 'message']);
    expect(data[0]).toMatchObject({
      event: 'conversation.assigned',
      label: expect.stringMatching(/^Assigned to Owner/),
    });
    expect(data[2]).toMatchObject({
      kind: 'message',
      direction: 'inbound',
      type: 'text',
      text: 'there',
      media: null,
      status: 'received',
      failure_reason: null,
      reply_to: null,
      ai_generated: false,
      held_until: null,
      author: { type: 'contact', name: 'Customer', email: null },
    });
  });

  it('carries failure reason, quoted reply, media and held time', async () => {
    const id = await create();
    const media = newId();
    await server().app.pool.query(
      `INSERT INTO media (company_id, id, kind, mime_type, size, filename, sha256, storage_key, url_token)
       VALUES ($1, $2, 'image', 'image/png', 42, 'a b.png', $3, 'key', $2)`,
      [company.id, media, Buffer.alloc(32)],
    );
    const [asked] = await insertMessages(server().app, company.id, id, [
      { text: `How\n much? ${'x'.repeat(200)}` },
    ]);
    const until = new Date(Date.now() + 60_000);
    await insertMessages(
      server().app,
      company.id,
      id,
      [
        {
          text: 'Ten.',
          direction: 'outbound',
          status: 'failed',
          failure_message: 'No such number.',
          reply_to_id: asked!,
        },
        { text: null, direction: 'outbound', media_id: media },
        { text: 'soon', direction: 'outbound', status: 'held', held_until: until, held_origin: 'ai' },
      ].map((message, n) => ({ ...message, at: new Date(Date.now() + n) })) as never,
    );
    const [held, picture, failed] = (await page(id)).data;
    expect(failed).toMatchObject({
      status: 'failed',
      failure_reason: 'No such number.',
      reply_to: { id: asked, author: { type: 'contact' } },
    });
    const { snippet } = (failed as { reply_to: { snippet: string } }).reply_to;
    expect(snippet).toHaveLength(140);
    expect(snippet).toMatch(/^How much\? x/);
    expect(picture).toMatchObject({
      media: { id: media, kind: 'image', mime_type: 'image/png', size: 42, filename: 'a b.png' },
    });
    expect((picture as { media: { url: string } }).media.url).toMatch(
      new RegExp(`^http.*/media/${media}/a%20b.png$`),
    );
    expect(held).toMatchObject({ status: 'held', held_until: until.toISOString(), ai_generated: true });
  });

  it.each([1, 2, 7, 25, 100])('walked with limit %i gives every entry once', async (limit) => {
    const id = await create();
    await insertMessages(
      server().app,
      company.id,
      id,
      Array.from({ length: 40 }, (_, n) => ({ text: `m${n}` })),
    );
    await Promise.all([
      ...Array.from({ length: 10 }, (_, n) => api.post(`/conversations/${id}/notes`, { body: `n${n}` })),
      ...['close', 'archive', 'mute', 'unmute'].map((word) => api.post(`/conversations/${id}/${word}`)),
    ]);
    const all = await walk(id, limit);
    expect(new Set(all.map((entry) => entry.id)).size).toBe(all.length);
    expect(all.length).toBeGreaterThanOrEqual(53);
    const times = all.map(({ at }) => at);
    expect(times).toEqual([...new Set(times)].sort().reverse());
  });

  it('says that there is no more when exactly limit entries are left', async () => {
    const id = await create();
    await insertMessages(server().app, company.id, id, [{ text: 'a' }, { text: 'b' }]);
    expect((await page(id, { limit: 2 })).meta.has_more).toBe(false);
    expect((await page(id, { limit: 1 })).meta.has_more).toBe(true);
  });

  it('is empty for a conversation without entries, and 404 for an unknown one', async () => {
    expect(await page(await create())).toEqual({ data: [], meta: { has_more: false, next_before: null } });
    expect((await api.get(`/conversations/${newId()}/timeline`)).status).toBe(404);
    expect((await api.get('/conversations/x/timeline', { before: 'x' })).status).toBe(404);
  });

  it.each([
    ['before', 'yesterday'],
    ['before', ''],
    ['before', '2026-02-30T00:00:00Z'],
    ['limit', '0'],
    ['limit', '101'],
    ['limit', 'x'],
  ])('refuses %s=%j', async (name, value) => {
    const answer = await api.get(`/conversations/${await create()}/timeline`, { [name]: value });
    expect(answer.status).toBe(422);
    expect(answer.body.error.param).toBe(name);
  });

  it('is one statement of bounded index reads, for 1 entry and for 100', async () => {
    const id = await create();
    await insertMessages(
      server().app,
      company.id,
      id,
      Array.from({ length: 5_000 }, (_, n) => ({ text: `m${n}` })),
    );
    await insertConversations(server().app, company.id, 2_000);
    await server().app.pool.query(
      'VACUUM ANALYZE messages, notes, timeline_events, conversations, note_mentions, users',
    );
    for (const limit of ['1', '100']) {
      const statements = await recordQueries(server().app, () => page(id, { limit }));
      expect(statements).toHaveLength(1);
      const plan = await planOf(server().app, statements[0]!);
      const scans = plan.map((node) => `${node['Node Type']} ${node['Relation Name'] ?? ''}`);
      expect(scans.filter((scan) => scan.startsWith('Seq Scan messages'))).toEqual([]);
      expect(plan.some((node) => node['Index Name'] === 'messages_company_id_conversation_id_at_key')).toBe(
        true,
      );
    }
  });

  it('reads the same over GraphQL, for many conversations in one statement', async () => {
    const ids = await insertConversations(server().app, company.id, 30);
    for (const id of ids.slice(0, 3)) await api.post(`/conversations/${id}/notes`, { body: `note of ${id}` });
    const query = `query ($first: Int) { conversations(first: $first) { items { id timeline(first: 2) {
      hasMore nextBefore items { id kind at text author { type name email } mentions(first: 2) { email } } } } } }`;
    const counts: number[] = [];
    for (const first of [1, 20]) {
      const statements = await recordQueries(server().app, async () => {
        const { body } = await api.graphql(query, { first });
        expect(body.errors).toBeUndefined();
        expect(body.data.conversations.items).toHaveLength(first);
      });
      counts.push(statements.length);
    }
    expect(counts).toEqual([2, 2]);
    const { body } = await api.graphql(
      `query ($id: ID!) { timeline(conversation: $id) { items { id kind at text author { type name email } } } }`,
      { id: ids[0] },
    );
    const [entry] = (await page(ids[0]!)).data;
    const { id, kind, at, author } = entry!;
    expect(body.data.timeline.items).toEqual([{ id, kind, at, text: `note of ${ids[0]}`, author }]);
  });
});

describe('in the dashboard', () => {
  let owner: Page;
  beforeAll(async () => {
    owner = await ownerPage(server().url, company);
  });
  const ask = async (name: string, input: object) => {
    const { status, body } = await owner.query(`conversations.${name}`, input);
    expect(status).toBe(200);
    return body.result.data.data;
  };

  it('a conversation is searched, its signs are no patterns, and other conversations are left alone', async () => {
    const id = await create();
    const other = await create();
    await insertMessages(server().app, company.id, other, [{ text: '100% of the lamps' }]);
    const [first, , last] = await insertMessages(server().app, company.id, id, [
      { text: 'A LAMP, 100% brass' },
      { text: 'nothing' },
      { text: 'the lamp again' },
    ]);
    const note = (await api.post(`/conversations/${id}/notes`, { body: 'keep a lamp' })).body.data.id;
    const found = async (q: string) => ask('search', { conversation: id, q });
    expect((await found('lamp')).map((hit: { id: string }) => hit.id)).toEqual([note, last, first]);
    expect((await found('0% b')).map((hit: { kind: string }) => hit.kind)).toEqual(['message']);
    expect(await found('_')).toEqual([]);
    expect((await owner.query('conversations.search', { conversation: id, q: '' })).status).toBe(422);
    const nowhere = await owner.query('conversations.search', { conversation: newId(), q: 'lamp' });
    expect(nowhere.status).toBe(404);
  });

  it('its files are listed with their messages, its followers by name', async () => {
    const id = await create();
    const file = (await uploadTo(api, 'hello', 'hello.txt', 'text/plain')).body.data;
    const [message] = await insertMessages(server().app, company.id, id, [{ text: null, media_id: file.id }]);
    expect(await ask('files', { conversation: id })).toMatchObject([
      { message, media: { id: file.id, filename: 'hello.txt' } },
    ]);
    expect(await ask('followers', { conversation: id })).toEqual([]);
    await owner.mutate('conversations.follow', { conversation: id });
    expect(await ask('followers', { conversation: id })).toMatchObject([{ email: company.owner.email }]);
    expect(await ask('templates', { conversation: id })).toEqual([]);
  });
});
