import { setTimeout as wait } from 'node:timers/promises';
import type { PresenceChannel } from 'pusher-js';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Event } from '../schema/events.ts';
import { newId } from '../server/platform/ids.ts';
import type { Client } from './support/client.ts';
import { insertEvents } from './support/events.ts';
import { heard, listen, type PusherClient, pusherClient, subscribed, type Told } from './support/pusher.ts';
import { insertConversations } from './support/rows.ts';
import { startServer, type TestCompany, useServer } from './support/server.ts';
import { settled } from './support/settled.ts';

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

beforeEach(() => settled(server().app));

afterEach(async () => {
  for (const client of open) client.disconnect();
  open.clear();
  await expect.poll(() => server().app.feed.size, { timeout: 5_000 }).toBe(0);
});

function pusher(withKey = key, url = server().url): PusherClient {
  const client = pusherClient(url, app.key, withKey);
  open.add(client);
  return client;
}

describe('channels, with pusher-js', () => {
  test('each carries its events in the envelope of webhooks', async () => {
    const client = pusher();
    const told = new Map<string, Told>();
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
    await heard(told.get('private-calendar')!, 'booking.created');
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
    await heard(told, 'order.paid');
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
    await heard(told, 'pusher:member_added');
    expect(mine.members.get(colleague).info).toEqual({ name: 'Rui', email: 'rui@example.com' });

    await second.post(`/conversations/${thread}/presence`, { action: 'claim', typing: true });
    await heard(told, 'typing');
    expect(told.find(([event]) => event === 'presence.updated')?.[1]).toMatchObject({
      sequence: null,
      data: { object: { conversation: thread, locked: true, editing_by: 'Rui', user_id: colleague } },
    });
    his.trigger('client-typing', { typing: true });
    await heard(told, 'client-typing');
    await api.post(`/conversations/${thread}/notes`, { body: 'Hm.' });
    await heard(told, 'conversation.noted');

    const before = (await api.get(`/conversations/${thread}/presence`)).body.data;
    expect(before).toMatchObject({ locked_by_other: true, editing_by: 'Rui' });
    rui.disconnect();
    await heard(told, 'pusher:member_removed');
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
    await heard(told, 'pusher:subscription_error');
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
      await expect.poll(() => here.members.count).toBe(1);
      const [back, told] = [listen(here), listen(there)];
      here.trigger('client-typing', {});
      await heard(told, 'client-typing');
      await api.post(`/conversations/${thread}/close`);
      await heard(told, 'conversation.closed');
      await heard(back, 'conversation.closed');
      for (const client of open) client.disconnect();
    } finally {
      await second.close();
    }
  });

  test('a test key is given test channels, which carry nothing', async () => {
    const sandbox = await company.client({ mode: 'test' });
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
