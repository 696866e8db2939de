import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { KilledServer } from '../support/killed-server.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { reached } from '../support/reached.ts';
import { scaled } from '../support/scale.ts';
import { percentile, timed } from '../support/timing.ts';

/** SOAK_MINUTES makes it longer or shorter. */
const minutes = Number(process.env['SOAK_MINUTES'] ?? scaled(1, 30));
const parts = 6;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let server: KilledServer;
let api: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await KilledServer.over(database.url, { DEMO: '0' });
  api = new Client(server.url, (await server.demo()).keys.live);
  server.start();
  await server.ready();
});

afterAll(async () => {
  server.stop();
  await database.drop();
});

/** Resident memory of the server, in megabytes. */
function memory(): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}

it(
  `memory and answering times stay over ${minutes} minutes at half load [D12]`,
  async () => {
    const memories: number[] = [];
    const slowest: number[] = [];
    for (let part = 0; part < parts; part++) {
      const end = performance.now() + (minutes * 60_000) / parts;
      const times: number[] = [];
      const client = async () => {
        for (let n = 0; performance.now() < end; n++) {
          const call = () =>
            n % 5 === 0 ? api.post('/contacts', { name: 'soaked' }) : api.get('/contacts', { limit: 25 });
          const { value, ms } = await timed(call);
          expect(value.status).toBeLessThan(300);
          times.push(ms);
          // As long idle as busy.
          await wait(ms);
        }
      };
      await Promise.all(Array.from({ length: 4 }, client));
      memories.push(memory());
      slowest.push(Math.round(percentile(times, 0.99)));
    }
    // What is kept by caches and compiled code comes in the first third.
    const growth = memories.at(-1)! - memories[Math.floor(parts / 3)]!;
    expect(growth).toBeLessThan(60);
    reached('D12', `${minutes} min: memory ${memories.join(', ')} MB, p99 ${slowest.join(', ')} ms`);
  },
  (minutes + 5) * 60_000,
);
