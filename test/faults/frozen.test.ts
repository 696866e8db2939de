import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { expectHealthy } from '../support/healthy.ts';
import { KilledServer } from '../support/killed-server.ts';
import { openOwnPostgres, type OwnPostgres } from '../support/own-postgres.ts';
import { reached } from '../support/reached.ts';
import { scaled } from '../support/scale.ts';
import { flight } from '../support/shop.ts';
import { timed } from '../support/timing.ts';

const frozen = scaled(5_000, 10_000);
const reads = scaled(1_000, 10_000);
const clients = 32;

let postgres: OwnPostgres;
let server: KilledServer;
let api: Client;

beforeAll(async () => {
  postgres = await openOwnPostgres();
  server = await KilledServer.over(postgres.url, { DEMO: '0' });
  const { keys } = await server.demo();
  api = new Client(server.url, keys.live);
  server.start();
  await server.ready();
});

afterAll(async () => {
  server.stop();
  await postgres.close();
});

it(`PostgreSQL frozen for ${frozen / 1000} s: every call is answered within 3 s, and none of the next ${reads} gets another's answer [D4]`, async () => {
  const ids = await flight(clients, 4, async (n) => {
    const { body } = await api.post('/contacts', { name: `frozen ${n}` });
    return body.data.id as string;
  });
  const calls: { status: number; ms: number; retryAfter: string | null }[] = [];
  let crossed = 0;
  const state = { done: false };
  const read = async (n: number) => {
    const { value, ms } = await timed(() => api.get(`/contacts/${ids[n % clients]}`));
    if (value.status === 200 && value.body.data.id !== ids[n % clients]) crossed++;
    return { status: value.status, ms, retryAfter: value.headers.get('retry-after') };
  };
  const working = Promise.all(
    ids.map(async (_, n) => {
      while (!state.done) {
        calls.push(await read(n));
        await wait(20);
      }
    }),
  );
  await wait(1_000);
  postgres.freeze();
  let alarm = false;
  let alive = true;
  for (const end = performance.now() + frozen; performance.now() < end; await wait(250)) {
    alive &&= await server.answers();
    alarm ||= (await (await fetch(`${server.url}/metrics`)).text()).includes('\nparlour_database_hangs 1\n');
  }
  postgres.thaw();
  await expect.poll(async () => (await read(0)).status, { timeout: 30_000 }).toBe(200);
  state.done = true;
  await working;
  const after = await flight(reads, clients, read);
  const failed = calls.filter(({ status }) => status !== 200);
  expect(failed.length).toBeGreaterThan(0);
  expect(new Set(failed.map(({ status, retryAfter }) => `${status} ${retryAfter}`))).toEqual(
    new Set(['500 1']),
  );
  expect({ alive, alarm, crossed }).toEqual({ alive: true, alarm: true, crossed: 0 });
  expect(after.filter(({ status }) => status !== 200)).toEqual([]);
  const slowest = Math.round(Math.max(...calls.map(({ ms }) => ms)));
  expect(slowest).toBeLessThanOrEqual(3_000);
  await expectHealthy(postgres.url);
  reached('D4', `frozen ${frozen / 1000} s: slowest answer ${slowest} ms, 0 crossed of ${reads}`);
});
