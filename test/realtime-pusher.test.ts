import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import Pusher from 'pusher';
import { Pusher as PusherClient, type Channel, type PresenceChannel } from 'pusher-js';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { Event } from '../schema/events.ts';
import { scopeNames } from '../schema/scopes.ts';
import { revokeApiKey } from '../server/keys/service.ts';
import { newId } from '../server/platform/ids.ts';
import { execute } from '../server/platform/operation.ts';
import { systemContext } from '../server/platform/system-context.ts';
import type { Client } from './support/client.ts';
import { insertEvents } from './support/events.ts';
import { insertConversations } from './support/rows.ts';
import { startServer, type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let key: string;
let app: { key: string; path: string; channels: string[] };
const open = new Set<PusherClient>();

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  key = String(api.key);
  app = (await api.get('/broadcasting')).body.data;
});

afterEach(async () => {
  for (const client of open) client.disconnect();
  open.clear();
  await expect.poll(() => server().app.feed.size, { timeout: 5_000 }).toBe(0);
});

/** A real pusher-js, which authorises its channels with a key of ours. */
function pusher(withKey = key, url = server().url): PusherClient {
  const client = new PusherClient(app.key, {
    cluster: '',
    wsHost: '127.0.0.1',
    wsPort: Number(new URL(url).port),
    forceTLS: false,
    enabledTransports: ['ws'],
    channelAuthorization: {
      endpoint: `${url}/api/v1/broadcasting/auth`,
      transport: 'ajax',
      headers: { Authorization: `Bearer ${withKey}` },
    },
  });
  open.add(client);
  return client;
}

/** What a channel was told, by event. */
function listen(channel: Channel): [string, unknown][] {
  const told: [string, unknown][] = [];
  channel.bind_global((event: string, data: unknown) => told.push([event, data]));
  return told;
}

async function subscribed<C extends Channel>(channel: C): Promise<C> {
  await expect.poll(() => channel.subscribed, { timeout: 5_000 }).toBe(true);
  return channel;
}

const until = (told: [string, unknown][], event: string) =>
  expect.poll(() => told.find(([name]) => name === event)?.[1], { timeout: 5_000 }).toBeTruthy();

/** A client that speaks the protocol by hand. */
class Raw {
  readonly socket: WebSocket;
  readonly messages: { event: string; data: string; channel?: string }[] = [];
  readonly closed: Promise<number>;

  constructor(path = `${app.path}?protocol=7`, url = server().url) {
    this.socket = new WebSocket(`${url.replace('http', 'ws')}${path}`);
    this.socket.on('message', (data: Buffer) => this.messages.push(JSON.parse(data.toString())));
    this.closed = new Promise((resolve) => this.socket.once('close', resolve));
    this.socket.on('error', () => {});
  }

  send(event: string, data: unknown, channel?: string): void {
    this.socket.send(JSON.stringify({ event, data, ...(channel ? { channel } : {}) }));
  }

  async until(event: string) {
    await expect.poll(() => this.messages.some((one) => one.event === event), { timeout: 5_000 }).toBe(true);
    const found = this.messages.find((one) => one.event === event)!;
    return { ...found, data: typeof found.data === 'string' ? JSON.parse(found.data) : found.data };
  }

  async id(): Promise<string> {
    return (await this.until('pusher:connection_established')).data.socket_id;
  }

  async subscribe(channel: string, client: Client = api): Promise<void> {
    const { body } = await client.post('/broadcasting/auth', {
      socket_id: await this.id(),
      channel_name: channel,
    });
    this.send('pusher:subscribe', { channel, ...body });
  }
}

describe('POST /broadcasting/auth', () => {
  const ask = (client: Client, channel: string) =>
    client.post('/broadcasting/auth', { socket_id: '123.456', channel_name: channel });

  test('signs as the server package of Pusher does, not wrapped, JSON or form', async () => {
    const secret = server().app.config.secrets.derive('pusher secret').toString('hex');
    const reference = new Pusher({ appId: '1', key: app.key, secret, host: '127.0.0.1' });
    const channel = `private-company.${company.id}`;
    const expected = reference.authorizeChannel('123.456', channel);
    expect((await ask(api, channel)).body).toEqual(expected);
    const form = await api.request('POST', '/broadcasting/auth', {
      raw: new URLSearchParams({ socket_id: '123.456', channel_name: channel }).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect([form.status, form.body]).toEqual([200, expected]);
    const [thread = ''] = await insertConversations(server().app, company.id, 1);
    const presence = await ask(api, `presence-conversation.${thread}`);
    const member = JSON.parse(presence.body.channel_data);
    expect(member).toEqual({
      user_id: company.owner.id,
      user_info: { name: expect.any(String), email: company.owner.email },
    });
    expect(presence.body).toEqual(
      reference.authorizeChannel('123.456', `presence-conversation.${thread}`, member),
    );
  });

  test('denied, unknown and foreign channels are the same 403', async () => {
    const other = await server().company();
    const [foreign = ''] = await insertConversations(server().app, other.id, 1);
    for (const channel of [
      `private-company.${other.id}`,
      `private-user.${other.owner.id}`,
      `presence-conversation.${foreign}`,
      `presence-conversation.${newId()}`,
      `private-company-test.${company.id}`,
      `private-nothing.${company.id}`,
      'public',
    ]) {
      const { status, body } = await ask(api, channel);
      expect([channel, status, body.error.code]).toEqual([channel, 403, 'forbidden']);
    }
    for (const [kind, scope] of [
      ['company', 'inbox.access'],
      ['commerce', 'commerce.view'],
      ['campaigns', 'campaigns.view'],
      ['calendar', 'calendar.view'],
    ]) {
      const channel = `private-${kind}.${company.id}`;
      expect((await ask(api, channel)).status).toBe(200);
      const without = await company.client({ scopes: scopeNames.filter((name) => name !== scope) });
      expect((await ask(without, channel)).status).toBe(403);
    }
  });

  test('missing and malformed fields are 422', async () => {
    const channel = `private-company.${company.id}`;
    for (const [body, param] of [
      [{ channel_name: channel }, 'socket_id'],
      [{ socket_id: '1.2' }, 'channel_name'],
      [{ socket_id: '12', channel_name: channel }, 'socket_id'],
      [{ socket_id: '1.2', channel_name: 'a b' }, 'channel_name'],
      [{ socket_id: '1.2', channel_name: 'a'.repeat(165) }, 'channel_name'],
      [{ socket_id: 5, channel_name: channel }, 'socket_id'],
    ] as const) {
      const answer = await api.post('/broadcasting/auth', body);
      expect([answer.status, answer.body.error.param]).toEqual([422, param]);
    }
    const twice = await api.request('POST', '/broadcasting/auth', {
      raw: 'socket_id=1.2&socket_id=1.3&channel_name=x',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(twice.status).toBe(422);
  });

  test('forms are read here and nowhere else', async () => {
    const { status, body } = await api.request('POST', '/contacts', {
      raw: 'name=Ana',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect([status, body.error.code]).toEqual([400, 'bad_request']);
  });

  test('a test key is given test channels, which carry nothing', async () => {
    const sandbox = await company.client({ mode: 'test' });
    expect((await ask(sandbox, `private-company.${company.id}`)).status).toBe(403);
    const channels = (await sandbox.get('/broadcasting')).body.data.channels;
    expect(channels).toContain(`private-company-test.${company.id}`);
    const client = pusher(String(sandbox.key));
    const channel = await subscribed(client.subscribe(`private-company-test.${company.id}`));
    const told = listen(channel);
    await sandbox.post('/contacts', { name: 'nobody' });
    await insertEvents(server().app, company.id, 1, { type: 'message.received' });
    await wait(200);
    expect(told).toEqual([]);
  });
});

describe('channels, with pusher-js', () => {
  test('each carries its events in the envelope of webhooks', async () => {
    const client = pusher();
    const told = new Map<string, [string, unknown][]>();
    for (const name of app.channels)
      told.set(name.split('.')[0]!, listen(await subscribed(client.subscribe(name))));
    const types = [
      'conversation.closed',
      'message.received',
      'message.delivered',
      'order.paid',
      'product.updated',
      'campaign.started',
      'booking.created',
    ];
    for (const type of types) await insertEvents(server().app, company.id, 1, { type });
    await until(told.get('private-calendar')!, 'booking.created');
    const names = (channel: string) =>
      told
        .get(channel)
        ?.map(([event]) => event)
        .filter((e) => e !== 'counters.updated');
    expect(names('private-company')).toEqual(['conversation.closed', 'message.received']);
    expect(names('private-commerce')).toEqual(['order.paid', 'product.updated']);
    expect(names('private-campaigns')).toEqual(['campaign.started']);
    expect(names('private-calendar')).toEqual(['booking.created']);
    expect(names('private-user')).toEqual([]);
    expect(Event.parse(told.get('private-commerce')![0]![1]).company).toBe(company.id);
  });

  test('what is over 10 kB is told by id alone', async () => {
    const channel = await subscribed(pusher().subscribe(`private-commerce.${company.id}`));
    const told = listen(channel);
    const [id] = await insertEvents(server().app, company.id, 1, { type: 'order.paid', padding: 11_000 });
    await until(told, 'order.paid');
    expect(told[0]![1]).toEqual({ id, type: 'order.paid', sequence: expect.any(Number), truncated: true });
  });

  test('the conversation: everything of the thread, its viewers, typing, and the edit lock', async () => {
    const [thread = ''] = await insertConversations(server().app, company.id, 1);
    const colleague = newId();
    await server().app.pool.query(
      `INSERT INTO users (company_id, id, email, display_name, role_id, created_at, updated_at)
       SELECT $1, $2, 'rui@example.com', 'Rui', id, now(), now() FROM roles WHERE company_id = $1 AND key = 'agent'`,
      [company.id, colleague],
    );
    const second = await company.client({ user: 'rui@example.com', scopes: ['inbox.access'] });
    const name = `presence-conversation.${thread}`;
    const mine = await subscribed(pusher().subscribe(name) as PresenceChannel);
    const told = listen(mine);
    expect(mine.members.count).toBe(1);
    const rui = pusher(String(second.key));
    const his = await subscribed(rui.subscribe(name) as PresenceChannel);
    expect([his.members.count, his.members.me.id]).toEqual([2, colleague]);
    await until(told, 'pusher:member_added');
    expect(mine.members.get(colleague).info).toEqual({ name: 'Rui', email: 'rui@example.com' });

    await second.post(`/conversations/${thread}/presence`, { action: 'claim', typing: true });
    await until(told, 'typing');
    expect(told.find(([event]) => event === 'presence.updated')?.[1]).toMatchObject({
      sequence: null,
      data: { object: { conversation: thread, locked: true, editing_by: 'Rui', user_id: colleague } },
    });
    his.trigger('client-typing', { typing: true });
    await until(told, 'client-typing');
    await api.post(`/conversations/${thread}/notes`, { body: 'Hm.' });
    await until(told, 'conversation.noted');

    const before = (await api.get(`/conversations/${thread}/presence`)).body.data;
    expect(before).toMatchObject({ locked_by_other: true, editing_by: 'Rui' });
    rui.disconnect();
    await until(told, 'pusher:member_removed');
    expect(mine.members.count).toBe(1);
    const began = performance.now();
    await expect
      .poll(async () => (await api.get(`/conversations/${thread}/presence`)).body.data.locked, {
        timeout: 8_000,
        interval: 100,
      })
      .toBe(false);
    expect(performance.now() - began).toBeGreaterThan(3_500);
  });

  test('counters come as absolute values', async () => {
    const own = await server().company();
    const client = await own.client();
    const channel = await subscribed(pusher(String(client.key)).subscribe(`private-company.${own.id}`));
    const told = listen(channel);
    const threads = await insertConversations(server().app, own.id, 3);
    for (const thread of threads) await client.post(`/conversations/${thread}/unread`);
    const last = () =>
      told.findLast(([event]) => event === 'counters.updated')?.[1] as
        | { data: { object: object } }
        | undefined;
    await expect.poll(() => last()?.data.object, { timeout: 5_000 }).toEqual({ total_unread: 3 });
  });

  test('a subscription that is denied says so', async () => {
    const other = await server().company();
    const channel = pusher().subscribe(`private-company.${other.id}`);
    const told = listen(channel);
    await until(told, 'pusher:subscription_error');
    expect(channel.subscribed).toBe(false);
  });

  test('every process hears events, members and typing of the others', async () => {
    const second = await startServer({}, server().databaseUrl);
    try {
      const [thread = ''] = await insertConversations(server().app, company.id, 1);
      const name = `presence-conversation.${thread}`;
      const here = await subscribed(pusher().subscribe(name) as PresenceChannel);
      const there = await subscribed(pusher(key, second.url).subscribe(name) as PresenceChannel);
      expect(there.members.count).toBe(1);
      const [heard, told] = [listen(here), listen(there)];
      here.trigger('client-typing', {});
      await until(told, 'client-typing');
      await api.post(`/conversations/${thread}/close`);
      await until(told, 'conversation.closed');
      await until(heard, 'conversation.closed');
      for (const client of open) client.disconnect();
    } finally {
      await second.close();
    }
  });
});

describe('the protocol', () => {
  test('greets, answers pings, and sends an unknown app key away', async () => {
    const raw = new Raw();
    const { data } = await raw.until('pusher:connection_established');
    expect(data).toEqual({ socket_id: expect.stringMatching(/^\d+\.\d+$/), activity_timeout: 30 });
    raw.send('pusher:ping', {});
    await raw.until('pusher:pong');
    raw.socket.close();
    expect(await new Raw('/app/nobody?protocol=7').closed).toBe(4001);
    expect(await new Raw(`${app.path}?protocol=3`).closed).toBe(4007);
  });

  test("a forged signature, another socket's and none are 4009", async () => {
    const raw = new Raw();
    const id = await raw.id();
    const channel = `private-company.${company.id}`;
    const secret = 'guessed';
    const forged = createHmac('sha256', secret).update(`${id}:${channel}`).digest('hex');
    const foreign = (await api.post('/broadcasting/auth', { socket_id: '1.2', channel_name: channel })).body;
    for (const auth of [`${app.key}:${forged}`, foreign.auth, undefined])
      raw.send('pusher:subscribe', { channel, auth });
    const errors = () => raw.messages.filter(({ event }) => event === 'pusher:error');
    await expect.poll(() => errors().length).toBe(3);
    expect(errors()[0]!.data).toMatchObject({ code: 4009 });
    raw.socket.close();
  });

  test('client events: only client-typing, by members, in measure', async () => {
    const raw = new Raw();
    const channel = `private-company.${company.id}`;
    await raw.subscribe(channel);
    await raw.until('pusher_internal:subscription_succeeded');
    raw.send('client-typing', {}, channel);
    expect((await raw.until('pusher:error')).data).toMatchObject({ code: 4301 });
    const [thread = ''] = await insertConversations(server().app, company.id, 1);
    const presence = new Raw();
    await presence.subscribe(`presence-conversation.${thread}`);
    await presence.until('pusher_internal:subscription_succeeded');
    presence.send('client-shout', {}, `presence-conversation.${thread}`);
    expect((await presence.until('pusher:error')).data).toMatchObject({ code: 4301 });
    for (const { socket } of [raw, presence]) socket.close();
  });

  test('a message over 64 kB ends the socket, nonsense is ignored', async () => {
    const raw = new Raw();
    await raw.id();
    raw.socket.send('nonsense');
    raw.socket.send('[1]');
    raw.send('pusher:ping', {});
    await raw.until('pusher:pong');
    raw.socket.send('x'.repeat(65_537));
    expect(await raw.closed).toBe(1009);
  });

  test('at most 50 channels a socket and 20 sockets a key: 4004', async () => {
    const own = await server().company();
    const client = await own.client();
    const channel = `private-company.${own.id}`;
    const sockets = Array.from({ length: 20 }, () => new Raw());
    for (const raw of sockets) {
      await raw.subscribe(channel, client);
      await raw.until('pusher_internal:subscription_succeeded');
    }
    const another = new Raw();
    await another.subscribe(channel, client);
    expect(await another.closed).toBe(4004);
    const threads = await insertConversations(server().app, own.id, 50);
    const [first] = sockets;
    for (const thread of threads) await first!.subscribe(`presence-conversation.${thread}`, client);
    expect(await first!.closed).toBe(4004);
    for (const { socket } of sockets) socket.terminate();
  });

  test('revoking the key ends its sockets within 5 seconds, and nothing comes after', async () => {
    const own = await server().company();
    const issued = await own.key();
    const other = await own.client();
    const client = await own.client();
    const channel = `private-commerce.${own.id}`;
    const revoked = new Raw();
    const id = await revoked.id();
    const response = await fetch(`${server().url}/api/v1/broadcasting/auth`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${issued.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ socket_id: id, channel_name: channel }),
    });
    revoked.send('pusher:subscribe', { channel, ...((await response.json()) as object) });
    await revoked.until('pusher_internal:subscription_succeeded');
    const kept = new Raw();
    await kept.subscribe(channel, other);
    await kept.until('pusher_internal:subscription_succeeded');
    const began = performance.now();
    await execute(revokeApiKey, await systemContext(server().app, own.id), { key: issued.id });
    expect(await revoked.closed).toBe(4009);
    expect(performance.now() - began).toBeLessThan(5_000);
    await insertEvents(server().app, own.id, 1, { type: 'order.paid' });
    await kept.until('order.paid');
    expect(revoked.messages.some(({ event }) => event === 'order.paid')).toBe(false);
    expect(client.key).not.toBe(issued.key);
    kept.socket.terminate();
  });

  test('closing the server says 1001', async () => {
    const small = await startServer();
    const raw = new Raw(undefined, small.url);
    await once(raw.socket, 'open');
    await small.close();
    expect(await raw.closed).toBe(1001);
  });
});
