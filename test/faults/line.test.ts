import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { expectHealthy } from '../support/healthy.ts';
import { KilledServer } from '../support/killed-server.ts';
import { openOwnPostgres, type OwnPostgres } from '../support/own-postgres.ts';
import { reached } from '../support/reached.ts';
import { scaled } from '../support/scale.ts';
import { tally } from '../support/shop.ts';
import { type Line, openLine } from '../support/tcp-proxy.ts';

/** Long enough that the first are answered, after about ten seconds, and ask again. */
const phase = scaled(20_000, 30_000);
const clients = scaled(200, 400);

let postgres: OwnPostgres;
let line: Line;
let server: KilledServer;
let api: Client;

beforeAll(async () => {
  postgres = await openOwnPostgres();
  line = await openLine(postgres.url);
  server = await KilledServer.over(line.url, { DEMO: '0', LOG_LEVEL: 'fatal' });
  const { keys } = await server.demo();
  api = new Client(server.url, keys.live);
  server.start();
  await server.ready();
});

afterAll(async () => {
  server.stop();
  await line.close();
  await postgres.close();
});

/** The clients ask as fast as they are answered, for as long. @returns how often each status came */
async function underLoad(duration: number): Promise<Record<string, number>> {
  const end = performance.now() + duration;
  const statuses: number[] = [];
  const client = async (n: number) => {
    while (performance.now() < end) {
      const call = n % 4 === 0 ? api.post('/contacts', { name: `line ${n}` }) : api.get('/contacts');
      statuses.push(await call.then(({ status }) => status));
      await wait(50);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, n) => client(n)));
  return tally(statuses);
}

/** The sum of the samples of a metric whose labels have all the words. */
async function metric(name: string, ...words: string[]): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return text
    .split('\n')
    .filter((row) => row.startsWith(name) && words.every((word) => row.includes(word)))
    .reduce((sum, row) => sum + Number(row.split(' ').at(-1)), 0);
}

const recovers = () =>
  expect.poll(async () => (await api.get('/contacts')).status, { timeout: 30_000 }).toBe(200);

it(`a line that is 200 ms slow, cut with 1 % of its pieces, then half open, under ${clients} clients: the excess is refused at once [D5]`, async () => {
  line.delay = 200;
  const slow = await underLoad(phase);
  expect(Object.keys(slow).filter((status) => !['200', '201', '500'].includes(status))).toEqual([]);
  // Measured anew after each look.
  const lag = await metric('nodejs_eventloop_lag_p99_seconds');
  const refused = await metric('parlour_admission_refused_total');
  const early = ['surface="api"', 'route="other"', 'status="500"'];
  const answered = await metric('parlour_http_request_duration_seconds_count', ...early);
  const atOnce = await metric('parlour_http_request_duration_seconds_bucket', ...early, 'le="0.1"');
  line.delay = 0;
  await recovers();
  line.dropped = 0.01;
  const cut = await underLoad(phase / 2);
  line.dropped = 0;
  await recovers();
  line.silent = true;
  const silent = await underLoad(phase / 2);
  line.silent = false;
  await recovers();
  expect(
    Object.keys({ ...cut, ...silent }).filter((status) => !['200', '201', '500'].includes(status)),
  ).toEqual([]);
  expect(refused).toBeGreaterThan(0);
  expect(atOnce / answered, `${refused} refused, ${answered} failed early`).toBeGreaterThan(0.99);
  await expectHealthy(postgres.url);
  reached(
    'D5',
    `${clients} clients: ${refused} refused, ${Math.round((atOnce / answered) * 1000) / 10} % of them within 100 ms, event loop p99 ${Math.round(lag * 1000)} ms`,
  );
});
