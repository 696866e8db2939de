import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import Pusher from 'pusher';
import { beforeAll, describe, expect, test } from 'vitest';
import { scopeNames } from '../schema/scopes.ts';
import { revokeApiKey } from '../server/keys/service.ts';
import { newId } from '../server/platform/ids.ts';
import { execute } from '../server/platform/operation.ts';
import { systemContext } from '../server/platform/system-context.ts';
import type { Client } from './support/client.ts';
import { insertEvents } from './support/events.ts';
import { RawPusher } from './support/pusher.ts';
import { insertConversations } from './support/rows.ts';
import { startServer, type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let app: { key: string; path: string; channels: string[] };

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  app = (await api.get('/broadcasting')).body.data;
});

function connectRaw(path = `${app.path}?protocol=7`, url = server().url): RawPusher {
  return new RawPusher(url, path);
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
});

describe('the protocol', () => {
  test('greets, answers pings, and sends an unknown app key away', async () => {
    const raw = connectRaw();
    const data = await raw.until('pusher:connection_established');
    expect(data).toEqual({ socket_id: expect.stringMatching(/^\d+\.\d+$/), activity_timeout: 30 });
    raw.send('pusher:ping', {});
    await raw.until('pusher:pong');
    raw.socket.close();
    expect(await connectRaw('/app/nobody?protocol=7').closed).toBe(4001);
    expect(await connectRaw(`${app.path}?protocol=3`).closed).toBe(4007);
  });

  test("a forged signature, another socket's and none are 4009", async () => {
    const raw = connectRaw();
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
    const raw = connectRaw();
    const channel = `private-company.${company.id}`;
    await raw.subscribe(channel, api);
    await raw.until('pusher_internal:subscription_succeeded');
    raw.send('client-typing', {}, channel);
    expect(await raw.until('pusher:error')).toMatchObject({ code: 4301 });
    const [thread = ''] = await insertConversations(server().app, company.id, 1);
    const presence = connectRaw();
    await presence.subscribe(`presence-conversation.${thread}`, api);
    await presence.until('pusher_internal:subscription_succeeded');
    presence.send('client-shout', {}, `presence-conversation.${thread}`);
    expect(await presence.until('pusher:error')).toMatchObject({ code: 4301 });
    for (const { socket } of [raw, presence]) socket.close();
  });

  test('a message over 64 kB ends the socket, nonsense is ignored', async () => {
    const raw = connectRaw();
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
    const sockets = Array.from({ length: 20 }, () => connectRaw());
    for (const raw of sockets) {
      await raw.subscribe(channel, client);
      await raw.until('pusher_internal:subscription_succeeded');
    }
    const another = connectRaw();
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
    const revoked = connectRaw();
    const id = await revoked.id();
    const response = await fetch(`${server().url}/api/v1/broadcasting/auth`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${issued.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ socket_id: id, channel_name: channel }),
    });
    revoked.send('pusher:subscribe', { channel, ...((await response.json()) as object) });
    await revoked.until('pusher_internal:subscription_succeeded');
    const kept = connectRaw();
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
    const raw = connectRaw(undefined, small.url);
    await once(raw.socket, 'open');
    await small.close();
    expect(await raw.closed).toBe(1001);
  });
});
