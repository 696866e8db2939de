import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { reached } from '../support/reached.ts';
import { scaled } from '../support/scale.ts';
import { useServer } from '../support/server.ts';
import { settled } from '../support/settled.ts';
import { flight } from '../support/shop.ts';
import { socketClient, Subscribed } from '../support/subscribe.ts';

const server = useServer({ LOG_LEVEL: 'silent' });
const cycles = scaled(400, 10_000);
const drops = scaled(20, 200);
type Heard = { id: string; sequence: number };
const query = 'subscription($after: ID) { events(after: $after) { id sequence } }';

/** Connects, subscribes and is gone: before, while or after the subscription comes about. */
async function connectAndDrop(key: string): Promise<void> {
  const socket = new WebSocket(`${server().url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => {});
  const send = (message: object) => socket.send(JSON.stringify(message));
  socket.on('open', () => send({ type: 'connection_init', payload: { Authorization: `Bearer ${key}` } }));
  socket.once('message', () => {
    send({ id: '1', type: 'subscribe', payload: { query } });
    setTimeout(() => socket.terminate(), Math.random() < 0.3 ? 0 : Math.random() * 30);
  });
  await closed;
}

it(
  `${cycles} times connected, subscribed and dropped: no reader is left, and memory stays [R3]`,
  async () => {
    const company = await server().company();
    await settled(server().app);
    const keys = await flight(4, 4, async () => (await company.key()).key);
    const memory: number[] = [];
    await flight(cycles, 24, async (n) => {
      await connectAndDrop(keys[n % keys.length]!);
      if (n % Math.ceil(cycles / 10) === 0) memory.push(process.memoryUsage().rss);
    });
    await expect.poll(() => server().app.feed.size, { timeout: 60_000 }).toBe(0);
    memory.push(process.memoryUsage().rss);
    // The first part fills caches; afterwards nothing is kept of a socket: 10 kB of each would be 50 MB in full.
    const growth = Math.round((memory.at(-1)! - memory[Math.floor(memory.length / 2)]!) / 1024 / 1024);
    expect(growth).toBeLessThan(50);
    reached('R3', `${cycles} cycles: 0 readers left, ${growth} MB in the second half`);
  },
  scaled(300_000, 1_200_000),
);

it(
  `a client that is cut off ${drops} times while things happen misses nothing and hears nothing twice [R5]`,
  async () => {
    const company = await server().company();
    const { key } = await company.key();
    const api = await company.client();
    await settled(server().app);
    const heard: { id: string; sequence: number }[] = [];
    const state = { done: false };
    let written = 0;
    const first = (await api.post('/contacts', { name: 'first' })).status;
    expect(first).toBe(201);
    const { body } = await api.get('/events', { limit: 1 });
    let after: number = body.data[0].sequence - 1;
    const writer = (async () => {
      for (; !state.done; written++) {
        await api.post('/contacts', { name: `event ${written}` });
        await wait(5);
      }
    })();
    for (let n = 0; n < drops; n++) {
      const { client, sockets } = socketClient(server().url, key);
      const live: Subscribed<Heard> = new Subscribed(client, 'events', query, { after });
      await wait(20 + Math.random() * 100);
      for (const socket of sockets) socket.terminate();
      // One that was not connected yet says so.
      await Promise.resolve(client.dispose()).catch(() => undefined);
      heard.push(...live.items);
      after = live.items.at(-1)?.sequence ?? after;
    }
    state.done = true;
    await writer;
    const { client } = socketClient(server().url, key);
    const rest = new Subscribed<Heard>(client, 'events', query, { after });
    const all = async () => {
      const { rows } = await server().app.pool.query<{ id: string }>(
        'SELECT id FROM events WHERE company_id = $1 ORDER BY sequence',
        [company.id],
      );
      return rows.map(({ id }) => id);
    };
    const total = (await all()).length;
    await expect.poll(() => heard.length + rest.items.length, { timeout: 30_000 }).toBe(total);
    expect([...heard, ...rest.items].map(({ id }) => id)).toEqual(await all());
    await client.dispose();
    reached('R5', `${drops} drops: ${total} events, 0 missing, 0 twice`);
  },
  scaled(300_000, 900_000),
);
