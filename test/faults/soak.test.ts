import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { useOwnServer } from '../support/own-server.ts';
import { reached } from '../support/reached.ts';
import { scaled } from '../support/scale.ts';
import { percentile, timed } from '../support/timing.ts';

/** SOAK_MINUTES makes it longer or shorter. */
const minutes = Number(process.env['SOAK_MINUTES'] ?? scaled(1, 30));
const parts = 6;

const own = useOwnServer();

/** Resident memory of the server, in megabytes. */
function memory(): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${own().server.pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}

it(
  `memory and answering times stay over ${minutes} minutes at half load [D12]`,
  async () => {
    const { api } = own();
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
