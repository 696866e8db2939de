import { beforeAll, describe, expect, it } from 'vitest';
import { Conversation } from '../schema/conversations.ts';
import type { Client } from './support/client.ts';
import { eventsOf, timelineOf } from './support/log.ts';
import { insertConversations, insertMessages } from './support/rows.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let api: Client;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
});

const create = async (row = {}): Promise<string> => {
  const [id] = await insertConversations(server().app, company.id, 1, () => row);
  return id!;
};
const act = (id: string, word: string, body?: unknown) => api.post(`/conversations/${id}/${word}`, body);
const show = async (id: string): Promise<Conversation> =>
  Conversation.parse((await api.get(`/conversations/${id}`)).body.data);

/** GraphQL's names as REST spells them, at any depth. */
function snakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snakeCase(inner),
    ]),
  );
}

describe('a conversation', () => {
  it('has exactly the documented fields, in their order', async () => {
    const id = await create();
    const answer = await api.get(`/conversations/${id}`);
    expect(Object.keys(Conversation.parse(answer.body.data))).toEqual(
      `id contact channel status archived muted muted_until pinned followed read unread_count assignee team tags
      rating rating_comment last_message last_message_at waiting_since first_response_at reply_window held ai
      closed_at closed_by created_at updated_at version allowed_actions followers_count`.split(/\s+/),
    );
    expect(answer.body.data).toMatchObject({
      channel: 'simulator',
      status: 'open',
      read: true,
      assignee: null,
      team: null,
      tags: [],
      held: null,
      last_message: null,
      reply_window: { open: true, expires_at: null },
      ai: { auto_reply: 'off', pending_suggestions: 0 },
      version: 1,
      followers_count: 0,
    });
    expect(answer.body.data.allowed_actions).toEqual(
      `assign transfer close unread mute archive pin follow notes tags`.split(' '),
    );
  });

  it('leaves followers_count out of lists and actions', async () => {
    const id = await create();
    const [listed] = (await api.get('/conversations', { limit: 1 })).body.data;
    expect(listed).not.toHaveProperty('followers_count');
    expect((await act(id, 'archive')).body.data).not.toHaveProperty('followers_count');
  });

  it('keeps its reply window by channel', async () => {
    const hours = (n: number) => new Date(Date.now() - n * 3_600_000);
    const windows = async (channel: string, last_inbound_at: Date | null) =>
      (await show(await create({ channel, last_inbound_at }))).reply_window;
    expect(await windows('whatsapp', hours(23))).toMatchObject({ open: true });
    expect(await windows('whatsapp', hours(25))).toMatchObject({ open: false });
    expect(await windows('tiktok', hours(47))).toMatchObject({ open: true });
    expect(await windows('whatsapp', null)).toEqual({ open: false, expires_at: null });
    expect(await windows('sms', hours(1000))).toEqual({ open: true, expires_at: null });
  });

  it('shows a deleted contact without what identifies them', async () => {
    const { id: contact } = (await api.post('/contacts', { name: 'Gone', email: 'gone@example.com' })).body
      .data;
    const id = await create({ contact_id: contact });
    expect((await show(id)).contact).toMatchObject({ name: 'Gone', email: 'gone@example.com' });
    await api.delete(`/contacts/${contact}`);
    expect((await show(id)).contact).toEqual({
      id: contact,
      name: 'Deleted contact',
      phone: null,
      email: null,
    });
  });

  it('is the same over REST, tRPC and GraphQL', async () => {
    const tag = (await api.post('/tags', { name: 'parity' })).body.data.id;
    const [id] = await insertConversations(server().app, company.id, 1, () => ({
      tag_ids: [tag],
      muted_until: new Date(Date.now() + 60_000),
      channel: 'whatsapp',
      last_inbound_at: new Date(),
      assignee_id: company.owner.id,
    }));
    const later = new Date(Date.now() + 60_000);
    await insertMessages(server().app, company.id, id!, [
      { text: 'held', direction: 'outbound', status: 'held', held_origin: 'request', held_until: later },
    ]);
    for (const word of ['follow', 'close', 'pin']) await act(id!, word);
    // Closing sends what was held, from a job; this channel has no provider, so it fails, and only then nothing moves.
    const sent = async () => (await api.get(`/conversations/${id}`)).body.data.last_message.status;
    await expect.poll(sent, { timeout: 30_000 }).toBe('failed');
    const rest = (await api.get(`/conversations/${id}`)).body.data;
    expect(
      (await api.trpc('query', 'conversations.show', { conversation: id })).body.result.data.data,
    ).toEqual(rest);
    const query = `query ($id: ID!) { conversation(conversation: $id) {
      id contact { id name phone email } channel status archived muted mutedUntil pinned followed read unreadCount
      assignee { name email } team { id name } tags(first: 5) { id name color } rating ratingComment
      lastMessage { id direction type snippet status at } lastMessageAt waitingSince firstResponseAt
      replyWindow { open expiresAt } held { count sendAt } ai { autoReply pendingSuggestions }
      closedAt closedBy { type name email } createdAt updatedAt version allowedActions followersCount } }`;
    const { body } = await api.graphql(query, { id });
    expect(body.errors).toBeUndefined();
    expect(snakeCase(body.data.conversation)).toEqual(rest);
  });
});

describe('an action', () => {
  /** Word, what makes it possible, what it changes, its event; the second call of each is a no-op. */
  const simple: [word: string, before: object, changed: object, event: string][] = [
    ['close', {}, { status: 'closed' }, 'conversation.closed'],
    [
      'reopen',
      { status: 'closed' },
      { status: 'open', closed_at: null, closed_by: null },
      'conversation.reopened',
    ],
    ['read', { unread_count: 3 }, { read: true, unread_count: 0 }, 'conversation.read'],
    ['unread', {}, { read: false, unread_count: 1 }, 'conversation.unread'],
    ['mute', {}, { muted: true, muted_until: null }, 'conversation.muted'],
    ['unmute', { muted: true }, { muted: false }, 'conversation.unmuted'],
    ['archive', {}, { archived: true }, 'conversation.archived'],
    ['unarchive', { archived: true }, { archived: false }, 'conversation.unarchived'],
  ];

  it.each(simple)(
    '%s answers the whole record, writes once and says so once',
    async (word, before, changed, type) => {
      const id = await create(before);
      const first = await act(id, word);
      expect(first.status).toBe(200);
      expect(Conversation.parse(first.body.data)).toMatchObject({ ...changed, version: 2 });
      const second = await act(id, word);
      expect(second.status).toBe(200);
      expect(second.body.data).toEqual(first.body.data);
      const events = await eventsOf(server().app, id);
      expect(events.map((event) => event.type)).toEqual([type]);
      expect(events[0]!.data.object).toEqual(first.body.data);
      expect(Object.keys(events[0]!.data.previous ?? {})).not.toContain('version');
      const entries = await timelineOf(api, id);
      const told = !['read', 'unread'].includes(word);
      expect(entries.map((entry) => entry.event)).toEqual(told ? [type] : []);
      if (told) expect(entries[0]).toMatchObject({ id: events[0]!.id, at: events[0]!.created_at });
      const { followers_count: _, ...shown } = await show(id);
      expect(shown).toEqual(first.body.data);
    },
  );

  it('is 404 for an unknown conversation, whatever its body', async () => {
    for (const id of ['x', '01JQZ7K3M9V5T2XH8C4B6N0DFX']) {
      for (const word of ['close', 'assign', 'mute', 'notes', 'tags', 'transfer', 'presence', 'pin']) {
        expect((await act(id, word, { until: 5 })).status, word).toBe(404);
      }
    }
  });

  it('is told once when 50 come at once', async () => {
    const id = await create();
    const answers = await Promise.all(Array.from({ length: 50 }, () => act(id, 'close')));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await eventsOf(server().app, id)).toHaveLength(1);
    expect((await show(id)).version).toBe(2);
  });

  it('names who acts: the user and the key', async () => {
    const id = await create();
    await act(id, 'archive');
    const [entry] = await timelineOf(api, id);
    expect(entry!.author).toEqual({
      type: 'api',
      name: expect.stringMatching(/^Owner .+ \(API: tests\)$/),
      email: company.owner.email,
    });
    const [event] = await eventsOf(server().app, id);
    expect(event!.actor).toMatchObject({ type: 'api_key', name: 'tests' });
  });
});

describe('unread', () => {
  it('keeps a count that is there', async () => {
    const id = await create({ unread_count: 4 });
    expect((await act(id, 'unread')).body.data.unread_count).toBe(4);
    expect(await eventsOf(server().app, id)).toEqual([]);
  });

  it('is untouched by tagging, assigning and notes', async () => {
    const id = await create({ unread_count: 4 });
    const tag = (await api.post('/tags', { name: `t ${id}` })).body.data.id;
    await act(id, 'tags', { tag });
    await act(id, 'assign', { assignee: 'me' });
    await act(id, 'notes', { body: 'note' });
    expect((await show(id)).unread_count).toBe(4);
  });
});

describe('close', () => {
  it('keeps the assignee; clears unread, waiting and the lock', async () => {
    const id = await create({ unread_count: 2, waiting_since: new Date() });
    await act(id, 'assign', { assignee: 'me' });
    await act(id, 'presence', { action: 'claim' });
    const { data } = (await act(id, 'close')).body;
    expect(data).toMatchObject({
      status: 'closed',
      unread_count: 0,
      waiting_since: null,
      assignee: { email: company.owner.email },
      closed_by: { type: 'api', email: company.owner.email },
    });
    expect(Math.abs(Date.parse(data.closed_at) - Date.now())).toBeLessThan(5_000);
    expect((await api.get(`/conversations/${id}/presence`)).body.data.locked).toBe(false);
  });

  it('cancels what AI holds and sends what people hold', async () => {
    const id = await create();
    const later = new Date(Date.now() + 60_000);
    const held = { direction: 'outbound', status: 'held', held_until: later } as const;
    const [ai, human] = await insertMessages(server().app, company.id, id, [
      { text: 'ai', held_origin: 'ai', ...held },
      { text: 'human', held_origin: 'undo', ...held },
    ]);
    expect((await show(id)).held).toEqual({ count: 2, send_at: later.toISOString() });
    const { data } = (await act(id, 'close')).body;
    expect(data).toMatchObject({ held: null, last_message: { id: human, status: 'queued' } });
    const { rows } = await server().app.pool.query(
      'SELECT id, status, cancel_reason, held_until FROM messages WHERE conversation_id = $1 ORDER BY at',
      [id],
    );
    expect(rows).toEqual([
      { id: ai, status: 'cancelled', cancel_reason: 'closed', held_until: null },
      // Released; the job may have tried to send it already.
      {
        id: human,
        status: expect.not.stringMatching(/^(held|cancelled)$/),
        cancel_reason: null,
        held_until: null,
      },
    ]);
  });
});

describe('mute', () => {
  it('takes an end, and the same again is nothing new', async () => {
    const id = await create();
    const until = new Date(Date.now() + 3_600_000).toISOString();
    expect((await act(id, 'mute', { until })).body.data).toMatchObject({ muted: true, muted_until: until });
    await act(id, 'mute', { until });
    expect((await act(id, 'mute', { until: null })).body.data).toMatchObject({
      muted: true,
      muted_until: null,
    });
    expect((await eventsOf(server().app, id)).map(({ data }) => data.details)).toEqual([
      { until },
      { until: null },
    ]);
  });

  it.each(['2020-01-01T00:00:00Z', 'tomorrow', 5, ''])('refuses until=%j', async (until) => {
    const answer = await act(await create(), 'mute', { until });
    expect(answer.status).toBe(422);
    expect(answer.body.error.param).toBe('until');
  });

  it('expires by itself', async () => {
    const id = await create({ muted_until: new Date(Date.now() - 1) });
    expect(await show(id)).toMatchObject({ muted: false, muted_until: null });
    await act(id, 'unmute');
    expect(await eventsOf(server().app, id)).toEqual([]);
    expect((await act(id, 'mute')).body.data.muted).toBe(true);
  });
});
