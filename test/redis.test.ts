import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from './support/client.ts';
import { insertEvents } from './support/events.ts';
import { hasRedis, OwnRedis } from './support/redis.ts';
import { startServer, type TestServer } from './support/server.ts';
import { settled } from './support/settled.ts';
import { flight } from './support/shop.ts';
import { socketClient, Subscribed } from './support/subscribe.ts';

interface Told {
  id: string;
  resync: boolean | null;
}

describe.runIf(hasRedis)('with REDIS_URL', () => {
  const limit = 120;
  let redis: OwnRedis;
  let servers: TestServer[];

  beforeAll(async () => {
    redis = await OwnRedis.open();
    // One process each, as on machines of their own: nothing but Redis tells them of each other.
    const settings = { REDIS_URL: redis.url, RATE_LIMIT_PER_MINUTE: String(limit), LOG_LEVEL: 'silent' };
    const first = await startServer(settings);
    servers = [first, await startServer(settings, first.databaseUrl)];
  });

  afterAll(async () => {
    for (const server of servers.toReversed()) await server.close();
    redis.kill();
  });

  const roles = () => servers.map(({ app }) => app.notifications.role).toSorted();
  const passed = async (): Promise<number> => {
    const { key } = await (await servers[0]!.company()).key();
    const clients = servers.map(({ url }) => new Client(url, key));
    const answers = await flight(300, 300, (n) => clients[n % clients.length]!.get('/me'));
    expect(answers.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
    return answers.filter(({ status }) => status === 200).length;
  };
  /** As `passed`; again when a process found itself so busy that it counted alone. */
  const passedTogether = async (): Promise<number> => {
    const alone = async () => {
      const counts = await Promise.all(
        servers.map((server) => metric(server, 'parlour_rate_limit_fallbacks_total')),
      );
      return counts.join();
    };
    for (;;) {
      const before = await alone();
      const count = await passed();
      if ((await alone()) === before) return count;
    }
  };
  const seenBy = (live: Subscribed<Told>) => live.items.filter(({ resync }) => !resync).map(({ id }) => id);
  const metric = async (server: TestServer, name: string): Promise<number> => {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };

  it('two processes count a key together: exactly 120 of 300 calls pass', async () => {
    expect(await passedTogether()).toBe(limit);
    for (const server of servers) expect(await metric(server, 'parlour_redis_up')).toBe(1);
  });

  it('one process relays what the database announces, and the other hears each event once, over Redis', async () => {
    await expect.poll(roles, { timeout: 60_000 }).toEqual(['follows', 'relays']);
    const company = await servers[0]!.company();
    const { key } = await company.key();
    await settled(servers[0]!.app);
    const readers = servers.map(({ url }) => {
      const { client } = socketClient(url, key);
      return {
        client,
        live: new Subscribed<Told>(client, 'events', 'subscription { events { id resync } }'),
      };
    });
    await expect.poll(() => servers.map(({ app }) => app.feed.size)).toEqual([1, 1]);
    const ids: string[] = [];
    for (const [n, server] of [...servers, ...servers].entries())
      ids.push(...(await insertEvents(server.app, company.id, n + 1)));
    for (const { client, live } of readers) {
      await expect.poll(() => seenBy(live), { timeout: 60_000 }).toEqual(ids);
      await client.dispose();
    }
    await expect.poll(() => servers.map(({ app }) => app.feed.size)).toEqual([0, 0]);
  });

  it('without Redis each counts alone and listens alone, nobody is refused for it, and it comes back', async () => {
    const company = await servers[0]!.company();
    const { key } = await company.key();
    await settled(servers[0]!.app);
    const { client } = socketClient(servers[1]!.url, key);
    const live = new Subscribed<Told>(client, 'events', 'subscription { events { id resync } }');
    await expect.poll(() => servers[1]!.app.feed.size).toBe(1);
    redis.kill();
    await expect.poll(roles, { timeout: 60_000 }).toEqual(['alone', 'alone']);
    const ids = await insertEvents(servers[0]!.app, company.id, 3);
    await expect.poll(() => seenBy(live), { timeout: 60_000 }).toEqual(ids);
    const counted = await passed();
    expect(counted).toBeGreaterThanOrEqual(limit);
    expect(counted).toBeLessThanOrEqual(2 * limit);
    const [server] = servers;
    expect(await metric(server!, 'parlour_redis_up')).toBe(0);
    expect(await metric(server!, 'parlour_rate_limit_fallbacks_total')).toBeGreaterThan(0);
    const ready = await fetch(`${server!.url}/readyz`);
    expect([ready.status, ((await ready.json()) as { status: string }).status]).toEqual([200, 'degraded']);
    await redis.start();
    await expect.poll(roles, { timeout: 60_000 }).toEqual(['follows', 'relays']);
    ids.push(...(await insertEvents(servers[0]!.app, company.id, 2)));
    await expect.poll(() => seenBy(live), { timeout: 60_000 }).toEqual(ids);
    await client.dispose();
    expect(await passedTogether()).toBe(limit);
  });

  it('a Redis that hangs holds nobody up for long', async () => {
    redis.kill('SIGSTOP');
    expect(await passed()).toBeGreaterThanOrEqual(limit);
    await expect.poll(roles, { timeout: 60_000 }).toEqual(['alone', 'alone']);
    redis.kill('SIGCONT');
    await expect.poll(roles, { timeout: 60_000 }).toEqual(['follows', 'relays']);
    expect(await passedTogether()).toBe(limit);
  });
});
