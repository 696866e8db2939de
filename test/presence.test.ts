import { beforeAll, describe, expect, it } from 'vitest';
import { Presence } from '../schema/conversations.ts';
import { createAgent } from '../server/account/agents.ts';
import type { Client } from './support/client.ts';
import { connect } from './support/connect.ts';
import { eventsOf } from './support/log.ts';
import { insertConversations } from './support/rows.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let me: Client;
let ana: Client;

beforeAll(async () => {
  company = await server().company();
  me = await company.client();
  ana = await agentClient('ana@example.com', 'Ana');
});

async function agentClient(email: string, name: string): Promise<Client> {
  await createAgent(server().app, { company: company.id, email, name });
  return company.client({ user: email, scopes: ['inbox.access'] });
}

const create = async (): Promise<string> => (await insertConversations(server().app, company.id, 1))[0]!;
const show = async (api: Client, id: string): Promise<Presence> =>
  Presence.parse((await api.get(`/conversations/${id}/presence`)).body.data);
const update = async (api: Client, id: string, body: object): Promise<Presence> => {
  const answer = await api.post(`/conversations/${id}/presence`, body);
  expect(answer.status).toBe(200);
  return Presence.parse(answer.body.data);
};
const claim = (api: Client, id: string, more = {}) => update(api, id, { action: 'claim', ...more });

const free = { locked: false, locked_by_other: false, editing_by: null, is_me: false };
const byAna = { locked: true, locked_by_other: false, editing_by: 'Ana', is_me: true };
const byOther = { locked: true, locked_by_other: true, editing_by: 'Ana', is_me: false };

describe('presence', () => {
  it('is free, mine, or held by another; a refused claim is 200', async () => {
    const id = await create();
    expect(await show(me, id)).toEqual({ conversation: id, ...free });
    expect(await claim(ana, id)).toEqual({ conversation: id, ...byAna });
    expect(await claim(me, id)).toEqual({ conversation: id, ...byOther });
    expect(await show(me, id)).toEqual({ conversation: id, ...byOther });
    expect(await show(ana, id)).toEqual({ conversation: id, ...byAna });
  });

  it('is released by its holder; for anyone else that is nothing', async () => {
    const id = await create();
    await claim(ana, id);
    expect(await update(me, id, { action: 'release' })).toMatchObject(byOther);
    expect(await update(ana, id, { action: 'release' })).toMatchObject(free);
    expect(await update(ana, id, { action: 'release' })).toMatchObject(free);
  });

  it('is taken over by force', async () => {
    const id = await create();
    await claim(ana, id);
    expect(await claim(me, id, { force: true })).toMatchObject({ is_me: true, locked_by_other: false });
    expect(await show(ana, id)).toMatchObject({ is_me: false, locked_by_other: true });
  });

  it('holds 30 s from the last claim; reading does not extend it', async () => {
    const id = await create();
    await claim(ana, id);
    server().clock.advance(20_000);
    await claim(ana, id);
    server().clock.advance(29_000);
    expect(await show(me, id)).toMatchObject(byOther);
    server().clock.advance(1_500);
    expect(await show(me, id)).toMatchObject(free);
    expect(await claim(me, id)).toMatchObject({ is_me: true });
  });

  it('tells typing for 6 s', async () => {
    const id = await create();
    const typing = async () => {
      const { rows } = await server().app.pool.query(
        'SELECT typing_until FROM conversation_presence WHERE conversation_id = $1',
        [id],
      );
      return rows[0].typing_until;
    };
    await claim(ana, id, { typing: true });
    const left = (await typing()).getTime() - server().clock.now().getTime();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(6_000);
    await claim(ana, id, { typing: false });
    expect(await typing()).toBeNull();
  });

  it('of 20 agents who claim at once, one gets it', async () => {
    const clients = await Promise.all(
      Array.from({ length: 20 }, (_, n) => agentClient(`agent${n}@example.com`, `Agent ${n}`)),
    );
    for (let round = 0; round < 3; round++) {
      const id = await create();
      const answers = await Promise.all(clients.map((client) => claim(client, id)));
      expect(answers.filter((answer) => answer.is_me)).toHaveLength(1);
      expect(new Set(answers.map((answer) => answer.editing_by)).size).toBe(1);
    }
  });

  it('changes neither version nor event log, and is announced at commit', async () => {
    const id = await create();
    const listener = await connect(server().databaseUrl);
    const heard: unknown[] = [];
    listener.on('notification', ({ payload }) => heard.push(JSON.parse(payload ?? '')));
    await listener.query('LISTEN parlour_realtime');
    await claim(ana, id);
    await claim(me, id);
    await update(ana, id, { action: 'release' });
    await update(ana, id, { action: 'release' });
    const sandbox = await company.client({ mode: 'test' });
    const test = (await sandbox.get('/conversations')).body.data[0].id;
    await claim(sandbox, test);
    await listener.query('SELECT 1');
    await listener.end();
    const told = { type: 'presence.updated', company: company.id, conversation: id };
    expect(heard).toEqual([expect.objectContaining(told), expect.objectContaining(told)]);
    expect((await me.get(`/conversations/${id}`)).body.data.version).toBe(1);
    expect(await eventsOf(server().app, id)).toEqual([]);
  });

  it.each([
    [{}, 'action', 'required'],
    [{ action: 'take' }, 'action', 'enum'],
    [{ action: 'claim', typing: 'yes' }, 'typing', 'type'],
    [{ action: 'claim', force: 1 }, 'force', 'type'],
  ])('refuses case %#', async (body, param, code) => {
    const answer = await me.post(`/conversations/${await create()}/presence`, body);
    expect(answer.status).toBe(422);
    expect(answer.body.error.details[0]).toMatchObject({ param, code });
  });

  it('is the same over GraphQL', async () => {
    const id = await create();
    const mutation = `mutation ($id: ID!) { updatePresence(conversation: $id, input: { action: claim }) {
      conversation locked lockedByOther editingBy isMe } }`;
    expect((await ana.graphql(mutation, { id })).body.data.updatePresence).toEqual({
      conversation: id,
      locked: true,
      lockedByOther: false,
      editingBy: 'Ana',
      isMe: true,
    });
    const query = 'query ($id: ID!) { presence(conversation: $id) { isMe lockedByOther } }';
    expect((await me.graphql(query, { id })).body.data.presence).toEqual({
      isMe: false,
      lockedByOther: true,
    });
  });
});
