import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Client } from '../support/client.ts';
import { expectHealthy } from '../support/healthy.ts';
import { KilledServer } from '../support/killed-server.ts';
import { openOwnPostgres, type OwnPostgres } from '../support/own-postgres.ts';
import { reached } from '../support/reached.ts';
import { scaled } from '../support/scale.ts';

const rate = scaled(40, 200);
const rounds = scaled(1, 3);

let postgres: OwnPostgres;
let servers: KilledServer[];
let key: string;

beforeAll(async () => {
  postgres = await openOwnPostgres();
  const settings = {
    DEMO: '0',
    SHUTDOWN_GRACE_SECONDS: '3',
    SECRET: 'one secret for both processes, long enough',
  };
  servers = [
    await KilledServer.over(postgres.url, settings),
    await KilledServer.over(postgres.url, settings),
  ];
  key = (await servers[0]!.demo()).keys.live;
  for (const server of servers) server.start();
  for (const server of servers) await server.ready();
});

afterAll(async () => {
  for (const server of servers) server.stop();
  await postgres.close();
});

it(
  `two processes exchanged ${rounds} times under ${rate} requests a second: none fails, each ends with 0 [D9]`,
  async () => {
    const healthy = new Set(servers);
    const failures: string[] = [];
    let asked = 0;
    const state = { done: false };
    const apis = new Map(servers.map((server) => [server, new Client(server.url, key)]));
    // What a balancer does: looks often, and sends nothing to who is not ready.
    const balancing = (async () => {
      while (!state.done) {
        for (const server of servers) {
          const ready = await fetch(`${server.url}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          );
          if (ready) healthy.add(server);
          else healthy.delete(server);
        }
        await wait(100);
      }
    })();
    const one = async (n: number) => {
      const choice = [...healthy];
      const api = apis.get(choice[n % choice.length] ?? servers[0]!)!;
      const call =
        n % 5 === 0 ? api.post('/contacts', { name: `rolling ${n}` }) : api.get('/contacts', { limit: 5 });
      const status = await call.then(
        (answer) => String(answer.status),
        (error: Error) => `${error.message} ${String(error.cause)}`,
      );
      if (!['200', '201'].includes(status)) failures.push(status);
    };
    const load = (async () => {
      const calls: Promise<void>[] = [];
      for (const start = performance.now(); !state.done; await wait(25)) {
        const due = ((performance.now() - start) / 1000) * rate;
        while (asked < due) calls.push(one(asked++));
      }
      await Promise.all(calls);
    })();
    const codes: (number | null)[] = [];
    const closings: number[] = [];
    for (let round = 0; round < rounds; round++) {
      for (const server of servers) {
        const socket = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
        socket.on('open', () =>
          socket.send(
            JSON.stringify({ type: 'connection_init', payload: { Authorization: `Bearer ${key}` } }),
          ),
        );
        await new Promise((resolve) => socket.once('message', resolve));
        socket.once('close', (code) => closings.push(code));
        server.kill('SIGTERM');
        codes.push(await server.exit());
        server.start();
        await server.ready();
        await expect.poll(() => healthy.size, { timeout: 60_000 }).toBe(2);
      }
    }
    state.done = true;
    await Promise.all([balancing, load]);
    expect(failures).toEqual([]);
    expect(codes).toEqual(codes.map(() => 0));
    expect(closings.filter((code) => code !== 1001 && code !== 1012)).toEqual([]);
    expect(closings).toHaveLength(codes.length);
    await expectHealthy(postgres.url);
    reached('D9', `${codes.length} exchanges under ${rate} requests a second: 0 of ${asked} failed`);
  },
  scaled(300_000, 900_000),
);
