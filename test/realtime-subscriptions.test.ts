import { setTimeout as wait } from 'node:timers/promises';
import type { Client as SocketClient } from 'graphql-ws';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Grant } from '../schema/scopes.ts';
import { revokeApiKey } from '../server/keys/service.ts';
import { execute } from '../server/platform/operation.ts';
import { systemContext } from '../server/platform/system-context.ts';
import type { Client } from './support/client.ts';
import { connect } from './support/connect.ts';
import { insertEvents } from './support/events.ts';
import { insertConversations, insertMessages } from './support/rows.ts';
import { settled } from './support/settled.ts';
import { socketClient, Subscribed } from './support/subscribe.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let key: string;
let api: Client;
const clients = new Set<SocketClient>();

beforeAll(async () => {
  company = await server().company();
  ({ key } = await company.key());
  api = await company.client();
});

beforeEach(() => settled(server().app));

afterEach(async () => {
  for (const client of clients) await client.dispose();
  clients.clear();
  await expect.poll(() => server().app.feed.size, { timeout: 5_000 }).toBe(0);
});

function open(withKey = key, url = server().url) {
  const made = socketClient(url, withKey);
  clients.add(made.client);
  return made;
}

interface Item {
  id: string | null;
  sequence: number | null;
  type: string;
  resync: boolean;
}

const eventsQuery = 'subscription($after: ID) { events(after: $after) { id sequence type resync } }';
const events = (client: SocketClient, after?: string | number | null) =>
  new Subscribed<Item>(client, 'events', eventsQuery, { after: after ?? null });

/** Until the subscription has joined the feed: what happens before is not told to one without `after`. */
const joined = (count = 1) => expect.poll(() => server().app.feed.size, { timeout: 10_000 }).toBe(count);

describe('events', () => {
  test('tells what happens, with its place in the log', async () => {
    const { client } = open();
    const live = new Subscribed<Item & { event: object }>(
      client,
      'events',
      `subscription { events { id sequence type resync
        event { id sequence type family recordId actor { type name } object previous } } }`,
    );
    await joined();
    const { id } = (await api.post('/contacts', { name: 'Ana' })).body.data;
    const [item] = await live.until((items) => items.length === 1);
    expect(item).toMatchObject({
      type: 'contact.created',
      resync: false,
      event: {
        id: item!.id,
        sequence: item!.sequence,
        family: 'contact',
        recordId: id,
        object: { name: 'Ana' },
      },
    });
    expect(item!.sequence).toBeGreaterThan(0);
  });

  test('resumes after an id or a sequence without gap or repetition', async () => {
    const own = await server().company();
    const { client } = open((await own.key()).key);
    const ids = await insertEvents(server().app, own.id, 250);
    const all = events(client, 0);
    await all.until((items) => items.length === 250);
    expect(all.items.map(({ id }) => id)).toEqual(ids);
    const middle = all.items[99]!;
    const byId = events(client, middle.id);
    const bySequence = events(client, middle.sequence);
    for (let burst = 0; burst < 20; burst++) ids.push(...(await insertEvents(server().app, own.id, 10)));
    for (const resumed of [byId, bySequence]) {
      await resumed.until((items) => items.length >= 350);
      expect(resumed.items.map(({ id }) => id)).toEqual(ids.slice(100));
    }
    expect(all.items.map(({ id }) => id)).toEqual(ids);
  });

  test('an after that is no longer known says resync and goes on', async () => {
    const own = await server().company();
    const { client } = open((await own.key()).key);
    const lost = events(client, '01JQZ7K3M9V5T2XH8C4B6N0DFG');
    const [first] = await lost.until((items) => items.length === 1);
    expect(first).toEqual({ id: null, sequence: expect.any(Number), type: 'resync', resync: true });
    const [id] = await insertEvents(server().app, own.id, 1);
    const items = await lost.until((all) => all.length === 2);
    expect(items[1]!.id).toBe(id);
    const malformed = events(client, 'yesterday');
    await expect
      .poll(() => malformed.errors)
      .toMatchObject([{ extensions: { code: 'validation_failed', param: 'after' } }]);
  });

  test('a late committer is told in its place', async () => {
    const own = await server().company();
    const { client } = open((await own.key()).key);
    const live = events(client);
    await joined();
    const early = await connect(server().databaseUrl);
    await early.query('BEGIN');
    const ids = await insertEvents(early, own.id, 1);
    ids.push(...(await insertEvents(server().app, own.id, 1)));
    await wait(300);
    expect(live.items).toEqual([]);
    await early.query('COMMIT');
    await early.end();
    const items = await live.until((all) => all.length === 2);
    expect(items.map(({ id }) => id)).toEqual(ids);
  });

  test('only families of the scopes, and nothing of another company [T10]', async () => {
    const own = await server().company();
    const only = async (scopes: Grant[]) => events(open((await own.key({ scopes })).key).client);
    const [inbox, shop] = [await only(['inbox.access']), await only(['commerce.view'])];
    const stranger = events(open().client);
    const refused = await only(['contacts.view']);
    await expect.poll(() => refused.errors).toMatchObject([{ extensions: { code: 'forbidden' } }]);
    await joined(3);
    await insertEvents(server().app, own.id, 2);
    await insertEvents(server().app, own.id, 2, { type: 'order.paid' });
    await shop.until((items) => items.length === 2);
    await inbox.until((items) => items.length === 2);
    await wait(100);
    expect(inbox.items.map(({ type }) => type)).toEqual(['contact.updated', 'contact.updated']);
    expect(shop.items.map(({ type }) => type)).toEqual(['order.paid', 'order.paid']);
    expect(stranger.items).toEqual([]);
  });
});

describe('losing access', () => {
  test('revoking the key ends it within 5 seconds and nothing comes after [T10]', async () => {
    const own = await server().company();
    const issued = await own.key();
    const revoked = events(open(issued.key).client);
    const kept = events(open((await own.key()).key).client);
    await joined(2);
    await insertEvents(server().app, own.id, 1);
    await revoked.until((items) => items.length === 1);
    const began = performance.now();
    await execute(revokeApiKey, await systemContext(server().app, own.id), { key: issued.id });
    await expect.poll(() => revoked.ended, { timeout: 5_000 }).toMatchObject({ code: 4403 });
    expect(performance.now() - began).toBeLessThan(5_000);
    await insertEvents(server().app, own.id, 1);
    await kept.until((items) => items.length === 2);
    expect(revoked.items).toHaveLength(1);
  });

  test('a scope taken from the user ends what needs it', async () => {
    const own = await server().company();
    const shop = events(open((await own.key({ scopes: ['commerce.view', 'inbox.access'] })).key).client);
    await joined();
    await server().app.pool.query(
      `UPDATE roles SET permissions = array_remove(permissions, 'commerce.view') WHERE company_id = $1`,
      [own.id],
    );
    await server().app.pool.query('SELECT pg_notify($1, $2)', ['parlour_access', own.id]);
    await wait(200);
    await insertEvents(server().app, own.id, 1, { type: 'order.paid' });
    await insertEvents(server().app, own.id, 1);
    await shop.until((items) => items.length === 1);
    expect(shop.items.map(({ type }) => type)).toEqual(['contact.updated']);
  });
});

describe('timeline, inbox and presence', () => {
  let conversation: string;

  beforeAll(async () => {
    [conversation = ''] = await insertConversations(server().app, company.id, 1);
    await insertMessages(server().app, company.id, conversation, [{ text: 'Hello' }]);
  });

  test('the timeline tells each entry as the timeline shows it, resumable', async () => {
    const query = `subscription($conversation: ID!, $after: ID) {
      timeline(conversation: $conversation, after: $after) {
        id sequence type resync entry { id kind text event label author { name } } } }`;
    const live = new Subscribed<Item & { entry: { id: string; kind: string } }>(
      open().client,
      'timeline',
      query,
      { conversation },
    );
    await joined();
    await api.post(`/conversations/${conversation}/close`);
    await api.post(`/conversations/${conversation}/notes`, { body: 'Called back.' });
    await api.post(`/conversations/${conversation}/unread`);
    const items = await live.until((all) => all.length === 3);
    expect(items.map(({ type }) => type)).toEqual([
      'conversation.closed',
      'conversation.noted',
      'conversation.unread',
    ]);
    const shown = (await api.get(`/conversations/${conversation}/timeline`, { limit: 2 })).body.data;
    expect(items[0]!.entry).toMatchObject({ id: shown[1].id, kind: 'event', label: shown[1].label });
    expect(items[1]!.entry).toMatchObject({ id: shown[0].id, kind: 'note', text: 'Called back.' });
    const resumed = new Subscribed<Item>(open().client, 'timeline', query, {
      conversation,
      after: items[0]!.id,
    });
    await resumed.until((all) => all.length === 2);
    expect(resumed.items.map(({ id }) => id)).toEqual(items.slice(1).map(({ id }) => id));
  });

  test("another company's conversation is not found", async () => {
    const stranger = await server().company();
    const { client } = open((await stranger.key()).key);
    for (const field of ['timeline', 'presence']) {
      const refused = new Subscribed(
        client,
        field,
        `subscription($c: ID!) { ${field}(conversation: $c) { __typename } }`,
        { c: conversation },
      );
      await expect.poll(() => refused.errors).toMatchObject([{ extensions: { code: 'not_found' } }]);
    }
  });

  test('the inbox tells the conversation, whether it belongs to the list, and the number on the badge', async () => {
    const live = new Subscribed<{
      type: string;
      matches: boolean;
      conversation: { id: string; status: string } | null;
      totalUnread: number | null;
    }>(
      open().client,
      'inbox',
      'subscription { inbox(status: open) { type matches conversation { id status } totalUnread } }',
    );
    await joined(2);
    const [thread = ''] = await insertConversations(server().app, company.id, 1);
    await api.post(`/conversations/${thread}/unread`);
    await api.post(`/conversations/${thread}/close`);
    await live.until((items) => items.filter((item) => item.conversation).length === 2);
    const told = live.items.filter((item) => item.conversation);
    expect(told.map(({ type }) => type)).toEqual(['conversation.unread', 'conversation.closed']);
    expect(told[1]).toMatchObject({ matches: false, conversation: { id: thread, status: 'closed' } });
    const { total_unread } = (await api.get('/conversations')).body.meta;
    await live.until((items) => items.some((item) => item.totalUnread === total_unread));
  });

  test('presence tells the state now and each change', async () => {
    const live = new Subscribed<{ presence: { locked: boolean; isMe: boolean }; typing: boolean }>(
      open().client,
      'presence',
      'subscription($c: ID!) { presence(conversation: $c) { presence { locked isMe editingBy } typing } }',
      { c: conversation },
    );
    await live.until((items) => items.length === 1);
    await api.post(`/conversations/${conversation}/presence`, { action: 'claim', typing: true });
    await live.until((items) => items.length === 2);
    await api.post(`/conversations/${conversation}/presence`, { action: 'release' });
    await live.until((items) => items.length === 3);
    expect(live.items.map(({ presence, typing }) => [presence.locked, presence.isMe, typing])).toEqual([
      [false, false, false],
      [true, true, true],
      [false, false, false],
    ]);
  });
});
