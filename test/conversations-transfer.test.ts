import { beforeAll, describe, expect, it } from 'vitest';
import { Conversation } from '../schema/conversations.ts';
import { createAgent } from '../server/account/agents.ts';
import { newId } from '../server/platform/ids.ts';
import type { Client } from './support/client.ts';
import { eventsOf, timelineOf } from './support/log.ts';
import { insertConversations, insertMessages } from './support/rows.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
const team = newId();
let company: TestCompany;
let api: Client;
let ana: { id: string; email: string };
let bo: { id: string; email: string };

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  ana = await createAgent(server().app, { company: company.id, email: 'ana@example.com', name: 'Ana' });
  bo = await createAgent(server().app, { company: company.id, email: 'bo@example.com', name: 'Bo' });
  const { pool } = server().app;
  await pool.query(`INSERT INTO teams (company_id, id, name, slug) VALUES ($1, $2, 'Sales', 'sales')`, [
    company.id,
    team,
  ]);
  await pool.query('INSERT INTO team_members (company_id, team_id, user_id) VALUES ($1, $2, $3)', [
    company.id,
    team,
    bo.id,
  ]);
});

const create = async (row = {}): Promise<string> =>
  (await insertConversations(server().app, company.id, 1, () => row))[0]!;
const transfer = (id: string, body: unknown) => api.post(`/conversations/${id}/transfer`, body);
const typesOf = async (id: string) => (await eventsOf(server().app, id)).map(({ type }) => type);
const told = async (id: string) => {
  const { rows } = await server().app.pool.query(
    'SELECT user_id, kind FROM notifications WHERE conversation_id = $1 ORDER BY kind',
    [id],
  );
  return rows;
};
const followers = async (id: string) => {
  const { rows } = await server().app.pool.query(
    'SELECT user_id FROM conversation_followers WHERE conversation_id = $1 ORDER BY user_id',
    [id],
  );
  return rows.map(({ user_id }) => user_id);
};

describe('transfer', () => {
  it('to an agent: owner, unread, open, AI paused; one entry, and every event with the same cause', async () => {
    const id = await create({ status: 'closed', assignee_id: ana.id, ai_auto_reply: 'on' });
    const answer = await transfer(id, { assignee: 'bo@example.com', note: 'Please take over.' });
    expect(answer.status).toBe(200);
    const record = Conversation.parse(answer.body.data);
    expect(record).toMatchObject({
      status: 'open',
      closed_at: null,
      assignee: { name: 'Bo', email: 'bo@example.com' },
      unread_count: 1,
      ai: { auto_reply: 'paused' },
    });
    const shown = (await api.get(`/conversations/${id}`)).body.data;
    expect(shown).toEqual({ ...record, followers_count: 2 });

    const entries = await timelineOf(api, id);
    expect(entries.map(({ kind, event }) => event ?? kind)).toEqual(['conversation.transferred', 'note']);
    const note = entries[1]!;
    expect(note).toMatchObject({ text: 'Please take over.', mentions: [{ email: 'bo@example.com' }] });
    const holders = {
      from: { type: 'agent', id: ana.id, name: 'Ana', email: 'ana@example.com' },
      to: { type: 'agent', id: bo.id, name: 'Bo', email: 'bo@example.com' },
    };
    expect(entries[0]!.data).toEqual({ ...holders, note_id: note.id });
    expect(entries[0]!.label).toBe('Transferred to Bo');

    const events = await eventsOf(server().app, id);
    expect(events.map(({ type }) => type)).toEqual([
      'conversation.noted',
      'conversation.transferred',
      'conversation.assigned',
      'conversation.reopened',
    ]);
    expect(new Set(events.map(({ cause }) => cause)).size).toBe(1);
    expect(events[0]!.cause).not.toBeNull();
    expect(events[1]!.data.details).toEqual({ ...holders, note: 'Please take over.' });
    expect(events[2]!.data.details).toMatchObject({ from: { id: ana.id }, to: { id: bo.id } });
    expect(events[2]!.data.previous).toMatchObject({ status: 'closed', unread_count: 0 });
    expect(await followers(id)).toEqual([ana.id, bo.id].sort());
    expect(await told(id)).toEqual([
      { user_id: bo.id, kind: 'mention' },
      { user_id: bo.id, kind: 'transferred' },
    ]);
  });

  it.each(['id', 'slug'])('to a team by %s: no assignee, members are told', async (by) => {
    const id = await create({ assignee_id: ana.id, unread_count: 5 });
    const answer = await transfer(id, { team: by === 'id' ? team : 'sales' });
    expect(answer.body.data).toMatchObject({
      assignee: null,
      team: { id: team, name: 'Sales' },
      unread_count: 5,
    });
    expect(await typesOf(id)).toEqual(['conversation.transferred', 'conversation.unassigned']);
    expect(await told(id)).toEqual([{ user_id: bo.id, kind: 'transferred' }]);
    expect(await followers(id)).toEqual([ana.id]);
    expect(await typesOf(await create())).toEqual([]);
  });

  it('lets the previous assignee go with follow: false', async () => {
    const id = await create({ assignee_id: ana.id });
    await transfer(id, { assignee: 'bo@example.com', follow: false });
    expect(await followers(id)).toEqual([]);
  });

  it('to the current holder is nothing, unless there is a note', async () => {
    const id = await create({ assignee_id: ana.id });
    const same = await transfer(id, { assignee: 'ana@example.com' });
    expect([same.status, same.body.data.version]).toEqual([200, 1]);
    expect(await typesOf(id)).toEqual([]);
    await transfer(id, { assignee: 'ana@example.com', note: 'Still yours.' });
    expect(await typesOf(id)).toEqual(['conversation.noted', 'conversation.transferred']);

    const ofTeam = await create();
    await transfer(ofTeam, { team: 'sales' });
    await transfer(ofTeam, { team });
    expect(await typesOf(ofTeam)).toEqual(['conversation.transferred']);
  });

  it("releases the sender's lock, not another's", async () => {
    const own = await create();
    await api.post(`/conversations/${own}/presence`, { action: 'claim' });
    await transfer(own, { assignee: 'ana@example.com' });
    expect((await api.get(`/conversations/${own}/presence`)).body.data.locked).toBe(false);

    const others = await create();
    const client = await company.client({ user: ana.email, scopes: ['inbox.access'] });
    await client.post(`/conversations/${others}/presence`, { action: 'claim' });
    await transfer(others, { assignee: 'bo@example.com' });
    expect((await api.get(`/conversations/${others}/presence`)).body.data.editing_by).toBe('Ana');
  });

  it('cancels what AI holds, and leaves what people hold', async () => {
    const id = await create({ ai_auto_reply: 'off' });
    const held = {
      direction: 'outbound',
      status: 'held',
      held_until: new Date(Date.now() + 60_000),
    } as const;
    await insertMessages(server().app, company.id, id, [
      { text: 'ai', held_origin: 'ai', ...held },
      { text: 'mine', held_origin: 'request', ...held },
    ]);
    const { data } = (await transfer(id, { assignee: 'me' })).body;
    expect(data).toMatchObject({ held: { count: 1 }, ai: { auto_reply: 'paused' } });
    const { rows } = await server().app.pool.query(
      'SELECT status, cancel_reason FROM messages WHERE conversation_id = $1 ORDER BY at',
      [id],
    );
    expect(rows).toEqual([
      { status: 'cancelled', cancel_reason: 'transferred' },
      { status: 'held', cancel_reason: null },
    ]);
  });

  it.each([
    [{}, 'assignee', 'required'],
    [{ assignee: 'me', team: 'sales' }, 'team', 'not_allowed'],
    [{ assignee: 'nobody@example.com' }, 'assignee', 'unknown_id'],
    [{ assignee: 'x'.repeat(192) }, 'assignee', 'max'],
    [{ team: 'unknown' }, 'team', 'unknown_id'],
    [{ team: '01JQZ7K3M9V5T2XH8C4B6N0DFX' }, 'team', 'unknown_id'],
    [{ team: 'x'.repeat(51) }, 'team', 'max'],
    [{ assignee: 'me', note: 'x'.repeat(2001) }, 'note', 'max'],
    [{ assignee: 'me', follow: 'yes' }, 'follow', 'type'],
  ])('refuses case %#', async (body, param, code) => {
    const id = await create();
    const answer = await transfer(id, body);
    expect(answer.status).toBe(422);
    expect(answer.body.error.details[0]).toMatchObject({ param, code });
    expect(await typesOf(id)).toEqual([]);
  });

  it('is 404 before anything else', async () => {
    expect((await transfer('01JQZ7K3M9V5T2XH8C4B6N0DFX', {})).status).toBe(404);
  });
});
