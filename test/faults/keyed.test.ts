import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectHealthy } from '../support/healthy.ts';
import { KilledServer } from '../support/killed-server.ts';
import { openOwnPostgres, type OwnPostgres } from '../support/own-postgres.ts';
import { reached } from '../support/reached.ts';
import { scaled } from '../support/scale.ts';

const total = scaled(300, 10_000);
const kills = scaled(4, 100);
const crashes = scaled(2, 10);
const clients = 32;
const second = 1_000;

let postgres: OwnPostgres;
let server: KilledServer;
let key: string;

beforeAll(async () => {
  postgres = await openOwnPostgres();
  server = await KilledServer.over(postgres.url, { DEMO: '0' });
  ({
    keys: { live: key },
  } = await server.demo());
  server.start();
  await server.ready();
});

afterAll(async () => {
  server.stop();
  await postgres.close();
});

/** What a client has seen go wrong in the run. */
const seen = { differing: 0, stuck: 0, lastSuccess: 0 };

async function ask(path: string, body: object, idempotencyKey: string) {
  const answer = await fetch(`${server.url}/api/v1${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': idempotencyKey,
    },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}

/** Asks with one key until it is done. Now and then once more: the answer must be the same. */
async function persist(path: string, body: object): Promise<string> {
  const idempotencyKey = randomUUID();
  for (let failedAt = 0; ;) {
    const answer = await ask(path, body, idempotencyKey).catch(() => null);
    const now = performance.now();
    if (answer?.status === 201) {
      seen.lastSuccess = now;
      if (Math.random() < 0.1) {
        const again = await ask(path, body, idempotencyKey).catch(() => null);
        if (again?.status === 201 && again.text !== answer.text) seen.differing++;
      }
      return answer.text;
    }
    if (answer && answer.status !== 409) expect(answer.status, answer.text).toBeGreaterThanOrEqual(500);
    const longReady = server.readySince > 0 && now - server.readySince > second;
    if (answer?.status === 409 && longReady && now - failedAt > second) seen.stuck++;
    if (answer?.status !== 409) failedAt = now;
    await wait(20 + Math.random() * 60);
  }
}

const idOf = (text: string) => (JSON.parse(text) as { data: { id: string } }).data.id;

it(
  `${clients} clients with ${total} operations, ${kills} kills and ${crashes} crashes of PostgreSQL: each once, none stuck, all whole [I4, I5, I6, D1, D2, D3, S5]`,
  async () => {
    const product = idOf(
      await persist('/products', { name: 'Mug', price: 1_800, stock: 1_000_000, sku: 'keyed' }),
    );
    const contact = idOf(await persist('/contacts', { name: 'keyed buyer' }));
    let next = 0;
    let killed = 0;
    const early = () => next >= (total * (killed + 2)) / kills;
    const client = async () => {
      while (next < total) {
        // So that the last kill, too, meets them at work.
        while (early()) await wait(20);
        if (next >= total) break;
        const n = next++;
        if (n % 3 === 0) {
          const items = [{ product, quantity: 1 }];
          await persist('/orders', { contact, items, notes: `keyed ${n}` });
        } else await persist('/contacts', { name: `keyed ${n}` });
      }
    };
    const working = Promise.all(Array.from({ length: clients }, client));
    const done = () => next >= total;
    const starts: number[] = [];
    const killing = (async () => {
      for (; killed < kills; killed++) {
        await wait(100 + Math.random() * 500);
        const start = performance.now();
        server.kill();
        server.start();
        await server.ready();
        starts.push(performance.now() - start);
      }
    })();
    const back: number[] = [];
    const crashing = (async () => {
      for (let n = 0; n < crashes; n++) {
        const due = () => killed >= (n * kills) / crashes;
        while (!due()) await wait(20);
        await wait(Math.random() * second);
        await postgres.crash();
        const up = performance.now();
        while (seen.lastSuccess < up && !done()) await wait(10);
        if (done()) break;
        const success = seen.lastSuccess;
        // A client may see a server serve before we do, and that it was killed is not the database's doing.
        while (server.readySince === 0) await wait(10);
        back.push(Math.max(0, success - Math.max(up, server.readySince)));
      }
    })();
    await Promise.all([working, killing, crashing]);
    const database = new pg.Client({ connectionString: postgres.url });
    await database.connect();
    const { rows } = await database.query<Record<string, number>>(
      `
    SELECT (SELECT count(*)::int FROM contacts WHERE name LIKE 'keyed %') - 1 AS contacts,
      (SELECT count(*)::int FROM orders WHERE notes LIKE 'keyed %') AS orders,
      (SELECT count(DISTINCT notes)::int FROM orders WHERE notes LIKE 'keyed %') AS notes,
      (SELECT count(*)::int FROM idempotency_records WHERE status = 201) - 2 AS answers,
      (SELECT reserved FROM products WHERE id = $1)::int AS reserved`,
      [product],
    );
    await database.end();
    const orders = Math.ceil(total / 3);
    expect(rows[0]).toEqual({
      contacts: total - orders,
      orders,
      notes: orders,
      answers: total,
      reserved: orders,
    });
    expect(seen.differing).toBe(0);
    expect(seen.stuck).toBe(0);
    // Nor does one that serves end because the database is gone.
    expect(server.ends).toBe(0);
    await expectHealthy(postgres.url);
    const median = starts.sort((a, b) => a - b)[Math.floor(starts.length / 2)] ?? 0;
    const figure = `${total} operations, ${killed} kills, ${back.length} crashes`;
    for (const id of ['I4', 'D1', 'S5']) reached(id, `${figure}: each once, 0 violations`);
    reached('I6', `${figure}: 0 stuck keys`);
    reached(
      'I5',
      `${figure}: first success ${Math.round(Math.max(...back, 0))} ms after the database, at most`,
    );
    reached(
      'D3',
      `${back.length} crashes: 0 lost, first success ${Math.round(Math.max(...back, 0))} ms after, at most`,
    );
    reached(
      'D2',
      `${killed} kills: ready after ${Math.round(median)} ms in the middle, ${Math.round(starts.at(-1) ?? 0)} ms at most`,
    );
    expect(Math.max(...back, 0)).toBeLessThan(2 * second);
  },
  scaled(900_000, 7_200_000),
);
