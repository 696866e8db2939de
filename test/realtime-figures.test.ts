import { setTimeout as wait } from 'node:timers/promises';
import type { Client as SocketClient } from 'graphql-ws';
import { afterEach, describe, expect, test } from 'vitest';
import { insertEvents } from './support/events.ts';
import { insertConversations } from './support/rows.ts';
import { socketClient, Subscribed } from './support/subscribe.ts';
import { startServer, useServer } from './support/server.ts';

const server = useServer();
const clients = new Set<SocketClient>();

afterEach(async () => {
  for (const client of clients) await client.dispose();
  clients.clear();
  await expect.poll(() => server().app.feed.size, { timeout: 5_000 }).toBe(0);
});

function open(withKey: string, url = server().url) {
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

describe('figures', () => {
  test('200 random drops during 5,000 events: every subscriber ends with all of them, none twice [R5]', async () => {
    const own = await server().company();
    const issued = await own.key();
    const count = 5_000;
    const ids: string[] = [];
    const burst = () => 1 + Math.floor(Math.random() * 15);
    const writing = (async () => {
      while (ids.length < count) {
        ids.push(...(await insertEvents(server().app, own.id, Math.min(count - ids.length, burst()))));
        await wait(5);
      }
    })();
    let drops = 200;
    const follow = async () => {
      const seen: string[] = [];
      let after = 0;
      while (seen.length < count) {
        const { client, sockets } = socketClient(server().url, issued.key);
        const live = events(client, after);
        const staying = --drops < 0 ? 30_000 : 10 + Math.random() * 150;
        const began = performance.now();
        while (performance.now() - began < staying && seen.length + live.items.length < count) await wait(5);
        for (const socket of sockets) socket.terminate();
        seen.push(...live.items.map(({ id }) => String(id)));
        after = live.items.at(-1)?.sequence ?? after;
        await Promise.allSettled([client.dispose()]);
      }
      return seen;
    };
    const followers = await Promise.all([...Array.from({ length: 8 }, follow), writing]);
    expect(drops).toBeLessThanOrEqual(0);
    for (const seen of followers.slice(0, 8)) expect(seen).toEqual(ids);
  }, 60_000);

  test('1,000 subscribers of one conversation, 100 messages: all receive all', async () => {
    const own = await server().company();
    const [thread = ''] = await insertConversations(server().app, own.id, 1);
    const keys = await Promise.all([own.key(), own.key()]);
    const query = 'subscription($c: ID!) { timeline(conversation: $c) { id sequence type } }';
    const subscribers: Subscribed<Item>[] = [];
    for (let socket = 0; socket < 20; socket++) {
      const { client } = open(keys[socket % 2]!.key);
      for (let n = 0; n < 50; n++)
        subscribers.push(new Subscribed<Item>(client, 'timeline', query, { c: thread }));
    }
    await joined(1_000);
    const ids: string[] = [];
    for (let n = 0; n < 100; n++)
      ids.push(
        ...(await insertEvents(server().app, own.id, 1, { type: 'message.received', conversation: thread })),
      );
    for (const subscriber of subscribers) await subscriber.until((items) => items.length === 100, 30_000);
    for (const { items } of subscribers) expect(items.map(({ id }) => id)).toEqual(ids);
  }, 60_000);

  test('1,500 subscriptions that start at once do not shut the door to requests', async () => {
    const own = await server().company();
    const [thread = ''] = await insertConversations(server().app, own.id, 1);
    const keys = await Promise.all([own.key(), own.key()]);
    const api = await own.client();
    const query = 'subscription($c: ID!) { timeline(conversation: $c) { id } }';
    const subscribers: Subscribed<Item>[] = [];
    for (let socket = 0; socket < 30; socket++) {
      const { client } = open(keys[socket % 2]!.key);
      for (let n = 0; n < 50; n++)
        subscribers.push(new Subscribed<Item>(client, 'timeline', query, { c: thread }));
    }
    const statuses = new Set<number>();
    const write = async () => {
      const body = { body: 'Note' };
      statuses.add((await api.post(`/conversations/${thread}/notes`, body)).status);
      return server().app.feed.size;
    };
    await expect.poll(write, { timeout: 45_000, interval: 5 }).toBe(1_500);
    expect([...statuses]).toEqual([201]);
    expect(subscribers.filter(({ ended, errors }) => ended ?? errors)).toEqual([]);
  }, 60_000);

  test('a reader that stops reading is let go, others go on [R4]', async () => {
    const own = await server().company();
    const slow = open((await own.key()).key);
    const stuck = events(slow.client);
    const padded = new Subscribed(slow.client, 'events', 'subscription { events { event { object } } }');
    const other = events(open((await own.key()).key).client);
    await joined(3);
    slow.sockets[0]!.pause();
    for (let n = 0; n < 200; n++) await insertEvents(server().app, own.id, 10, { padding: 20_000 });
    await other.until((items) => items.length === 2_000, 20_000);
    await expect.poll(() => server().app.feed.size, { timeout: 15_000 }).toBe(1);
    slow.sockets[0]!.resume();
    await expect.poll(() => stuck.ended ?? padded.ended, { timeout: 5_000 }).toBeTruthy();
    expect(padded.items.length).toBeLessThan(2_000);
  }, 60_000);

  test('while announcements are not heard, nothing is lost', async () => {
    const own = await server().company();
    const live = events(open((await own.key()).key).client);
    await joined();
    const ids: string[] = [];
    for (let cut = 0; cut < 3; cut++) {
      await server().app.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'parlour-listen' AND datname = current_database()`,
      );
      for (let n = 0; n < 20; n++) ids.push(...(await insertEvents(server().app, own.id, 3)));
    }
    const items = await live.until((all) => all.length >= ids.length);
    expect(items.map(({ id }) => id)).toEqual(ids);
  });

  test('every process hears of what any of them writes', async () => {
    const second = await startServer({}, server().databaseUrl);
    try {
      const own = await server().company();
      const issued = await own.key();
      const here = events(open(issued.key).client);
      const there = events(open(issued.key, second.url).client);
      await joined();
      await expect.poll(() => second.app.feed.size).toBe(1);
      const ids = await insertEvents(server().app, own.id, 5);
      ids.push(...(await insertEvents(second.app, own.id, 5)));
      for (const live of [here, there]) {
        await live.until((items) => items.length === 10);
        expect(live.items.map(({ id }) => id)).toEqual(ids);
      }
    } finally {
      for (const client of clients) await client.dispose();
      await second.close();
    }
  });
});
