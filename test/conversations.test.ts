import { beforeAll, describe, expect, it } from 'vitest';
import { Conversation } from '../schema/conversations.ts';
import { createAgent } from '../server/account/agents.ts';
import type { Client } from './support/client.ts';
import { eventsOf, timelineOf } from './support/log.ts';
import { insertConversations, insertMessages } from './support/rows.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let agent: { id: string; email: string };

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  agent = await createAgent(server().app, { company: company.id, email: 'ana@example.com', name: 'Ana' });
});

const create = async (row = {}): Promise<string> => {
  const [id] = await insertConversations(server().app, company.id, 1, () => row);
  return id!;
};
const act = (id: string, word: string, body?: unknown) => api.post(`/conversations/${id}/${word}`, body);
const show = async (id: string): Promise<Conversation> =>
  Conversation.parse((await api.get(`/conversations/${id}`)).body.data);

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
    const id = await create();
    const rest = (await api.get(`/conversations/${id}`)).body.data;
    expect(
      (await api.trpc('query', 'conversations.show', { conversation: id })).body.result.data.data,
    ).toEqual(rest);
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
      { id: human, status: 'queued', cancel_reason: null, held_until: null },
    ]);
  });

  it('reopening lets paused AI replies go on', async () => {
    const id = await create({ status: 'closed', ai_auto_reply: 'paused' });
    expect((await act(id, 'reopen')).body.data.ai.auto_reply).toBe('on');
    const off = await create({ status: 'closed', ai_auto_reply: 'off' });
    expect((await act(off, 'reopen')).body.data.ai.auto_reply).toBe('off');
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

describe('assign', () => {
  it('takes an e-mail in any case or me, and tells from and to', async () => {
    const id = await create();
    const first = await act(id, 'assign', { assignee: 'ANA@example.com' });
    expect(first.body.data.assignee).toEqual({ name: 'Ana', email: 'ana@example.com' });
    await act(id, 'assign', { assignee: 'ana@example.com' });
    await act(id, 'assign', { assignee: 'me' });
    const events = await eventsOf(server().app, id);
    expect(events.map(({ data }) => data.details)).toEqual([
      { from: null, to: { id: agent.id, name: 'Ana', email: 'ana@example.com' } },
      {
        from: expect.objectContaining({ email: 'ana@example.com' }),
        to: expect.objectContaining({ email: company.owner.email }),
      },
    ]);
    expect(events[1]!.data.previous).toEqual({ assignee: { name: 'Ana', email: 'ana@example.com' } });
    const { rows } = await server().app.pool.query(
      'SELECT user_id, kind FROM notifications WHERE conversation_id = $1',
      [id],
    );
    expect(rows).toEqual([{ user_id: agent.id, kind: 'assigned' }]);
  });

  it('unassigns', async () => {
    const id = await create({ assignee_id: agent.id });
    expect((await act(id, 'unassign')).body.data.assignee).toBeNull();
    await act(id, 'unassign');
    const events = await eventsOf(server().app, id);
    expect(events).toHaveLength(1);
    expect(events[0]!.data.details).toEqual({
      from: { id: agent.id, name: 'Ana', email: 'ana@example.com' },
      to: null,
    });
  });

  it('refuses strangers, deactivated agents and nonsense', async () => {
    const id = await create();
    const gone = await createAgent(server().app, {
      company: company.id,
      email: 'gone@agents.example',
      name: 'Gone',
    });
    await server().app.pool.query('UPDATE users SET deactivated_at = now() WHERE id = $1', [gone.id]);
    for (const assignee of [
      'nobody@example.com',
      'gone@agents.example',
      'x',
      '',
      'x'.repeat(192),
      null,
      undefined,
    ]) {
      const answer = await act(id, 'assign', { assignee });
      expect(answer.status, String(assignee)).toBe(422);
      expect(answer.body.error.param).toBe('assignee');
    }
    expect((await act(id, 'assign', { assignee: 'x' })).body.error.details[0].code).toBe('unknown_id');
  });
});

describe('pins and follows', () => {
  it("are the acting user's, without event, entry or version", async () => {
    const id = await create();
    const other = await company.client({ user: agent.email, scopes: ['inbox.access'] });
    for (const [word, field, value] of [
      ['pin', 'pinned', true],
      ['follow', 'followed', true],
      ['unpin', 'pinned', false],
      ['unfollow', 'followed', false],
    ] as const) {
      for (let n = 0; n < 2; n++) expect((await act(id, word)).body.data[field], word).toBe(value);
      expect((await show(id))[field]).toBe(value);
      expect((await other.get(`/conversations/${id}`)).body.data[field]).toBe(false);
    }
    expect(await eventsOf(server().app, id)).toEqual([]);
    expect((await show(id)).version).toBe(1);
  });

  it('counts followers on show', async () => {
    const id = await create();
    const other = await company.client({ user: agent.email, scopes: ['inbox.access'] });
    await act(id, 'follow');
    await other.post(`/conversations/${id}/follow`);
    expect((await show(id)).followers_count).toBe(2);
  });

  it('allows 50 pins, also when they come at once', async () => {
    const own = await server().company();
    const client = await own.client();
    const ids = await insertConversations(server().app, own.id, 55);
    const answers = await Promise.all(ids.map((id) => client.post(`/conversations/${id}/pin`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
    const refused = answers.find(({ status }) => status === 422)!;
    expect(refused.body.error.details[0]).toMatchObject({ param: 'conversation', code: 'max' });
  });
});

describe('notes', () => {
  it('are 201 with the entry; mentions are told, follow and may be any case', async () => {
    const id = await create({ muted: true });
    const answer = await act(id, 'notes', {
      body: 'Ana, please',
      mentions: ['ANA@example.com', 'ana@example.com'],
    });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({
      kind: 'note',
      text: 'Ana, please',
      mentions: [{ name: 'Ana', email: 'ana@example.com' }],
      author: { type: 'api' },
    });
    expect(await timelineOf(api, id)).toEqual([answer.body.data]);
    const [event] = await eventsOf(server().app, id);
    expect(event).toMatchObject({ type: 'conversation.noted', data: { details: answer.body.data } });
    const { rows } = await server().app.pool.query(
      `SELECT user_id, kind FROM notifications WHERE conversation_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ user_id: agent.id, kind: 'mention' }]);
    const other = await company.client({ user: agent.email, scopes: ['inbox.access'] });
    expect((await other.get(`/conversations/${id}`)).body.data.followed).toBe(true);
    const contact = (await show(id)).contact.id;
    expect((await api.get(`/contacts/${contact}/notes`)).body.data).toMatchObject([{ text: 'Ana, please' }]);
  });

  it.each([[undefined], [null], [[]]])('mentions %j is none', async (mentions) => {
    expect((await act(await create(), 'notes', { body: 'x', mentions })).body.data.mentions).toEqual([]);
  });

  it.each([
    [{}, 'body', 'required'],
    [{ body: '' }, 'body', 'required'],
    [{ body: 'x'.repeat(2001) }, 'body', 'max'],
    [{ body: 5 }, 'body', 'type'],
    [{ body: 'x', mentions: 'ana@example.com' }, 'mentions', 'type'],
    [{ body: 'x', mentions: ['ana'] }, 'mentions.0', 'format'],
    [{ body: 'x', mentions: ['ana@example.com', 'nobody@example.com'] }, 'mentions.1', 'unknown_id'],
    [{ body: 'x', mentions: Array.from({ length: 51 }, () => 'ana@example.com') }, 'mentions', 'max'],
  ])('refuses case %#', async (body, param, code) => {
    const id = await create();
    const answer = await act(id, 'notes', body);
    expect(answer.status).toBe(422);
    expect(answer.body.error.details[0]).toMatchObject({ param, code });
    expect(await timelineOf(api, id)).toEqual([]);
  });

  it('written at once have strictly increasing times', async () => {
    const id = await create();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => act(id, 'notes', { body: `note ${n}` })),
    );
    const times = answers.map(({ body }) => body.data.at);
    expect(new Set(times).size).toBe(60);
    const entries = await timelineOf(api, id, { limit: 100 });
    expect(entries.map(({ at }) => at)).toEqual([...times].sort().reverse());
    expect((await show(id)).version).toBe(61);
  });
});

describe('tags', () => {
  it('attach and detach, once, and stay in step with the row', async () => {
    const id = await create();
    const tags = await Promise.all(
      ['b', 'a'].map(async (name) => (await api.post('/tags', { name: `${name} ${id}` })).body.data),
    );
    for (const tag of [...tags, tags[0]]) expect((await act(id, 'tags', { tag: tag.id })).status).toBe(200);
    expect((await show(id)).tags).toEqual(tags.map(({ id: tag, name, color }) => ({ id: tag, name, color })));
    const stored = async () => {
      const { rows } = await server().app.pool.query(
        `SELECT tag_ids, ARRAY(SELECT tag_id FROM conversation_tags t WHERE t.conversation_id = c.id) AS attached
         FROM conversations c WHERE id = $1`,
        [id],
      );
      return [rows[0].tag_ids.sort(), rows[0].attached.sort()];
    };
    let [ids, attached] = await stored();
    expect(ids).toEqual(attached);
    const path = `/conversations/${id}/tags/${tags[0].id}`;
    expect((await api.delete(path)).body.data.tags).toHaveLength(1);
    expect((await api.delete(path)).status).toBe(200);
    [ids, attached] = await stored();
    expect(ids).toEqual(attached);
    const events = await eventsOf(server().app, id);
    expect(events.map(({ type }) => type)).toEqual([
      'conversation.tagged',
      'conversation.tagged',
      'conversation.untagged',
    ]);
    expect(events[0]!.data.details).toEqual({
      tag: { id: tags[0].id, name: tags[0].name, color: tags[0].color },
    });
    await api.delete(`/tags/${tags[1].id}`);
    expect((await show(id)).tags).toEqual([]);
    expect(await stored()).toEqual([[], []]);
  });

  it('unknown: 422 to attach, 404 to detach', async () => {
    const id = await create();
    for (const tag of ['x', '01JQZ7K3M9V5T2XH8C4B6N0DFX']) {
      const attach = await act(id, 'tags', { tag });
      expect(attach.status).toBe(422);
      expect(attach.body.error.details[0]).toMatchObject({ param: 'tag', code: 'unknown_id' });
      expect((await api.delete(`/conversations/${id}/tags/${tag}`)).status).toBe(404);
    }
    for (const tag of [undefined, null, '', 'x'.repeat(27)])
      expect((await act(id, 'tags', { tag })).body.error.param).toBe('tag');
  });
});

describe('flush-held', () => {
  it('sends the batch once, however many ask', async () => {
    const id = await create();
    const held = {
      direction: 'outbound',
      status: 'held',
      held_until: new Date(Date.now() + 60_000),
    } as const;
    await insertMessages(server().app, company.id, id, [
      { text: 'one', held_origin: 'ai', ...held },
      { text: 'two', held_origin: 'undo', ...held },
    ]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => act(id, 'flush-held')));
    expect(answers.filter(({ body }) => body.data.flushed === true)).toHaveLength(1);
    expect((await act(id, 'flush-held')).body).toEqual({ data: { flushed: false } });
    const { rows } = await server().app.pool.query(
      'SELECT DISTINCT status FROM messages WHERE conversation_id = $1',
      [id],
    );
    expect(rows).toEqual([{ status: 'queued' }]);
    expect(await show(id)).toMatchObject({ held: null, last_message: { status: 'queued' } });
    const jobs = await server().app.pool.query(
      `SELECT data FROM jobs.job WHERE name = 'messages.send' AND data->>'conversationId' = $1`,
      [id],
    );
    expect(jobs.rows).toEqual([{ data: { companyId: company.id, conversationId: id } }]);
    expect(await eventsOf(server().app, id)).toEqual([]);
  });
});
