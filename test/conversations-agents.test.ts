import { beforeAll, describe, expect, it } from 'vitest';
import { Conversation } from '../schema/conversations.ts';
import { createAgent } from '../server/account/agents.ts';
import type { Client } from './support/client.ts';
import { eventsOf, timelineOf } from './support/log.ts';
import { insertConversations } from './support/rows.ts';
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
