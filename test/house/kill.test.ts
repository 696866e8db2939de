import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { KilledServer } from '../support/killed-server.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { reached } from '../support/reached.ts';
import { scaled } from '../support/scale.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let server: KilledServer;
let key: string;

beforeEach(async () => {
  database = await createTestDatabase();
  server = await KilledServer.over(database.url);
  ({
    keys: { live: key },
  } = await server.demo());
  server.start();
});

afterEach(async () => {
  server.stop();
  await database.drop();
});

/** Asks until it is done; meanwhile only a conflict, a lost connection or a fault of ours is a reason to ask again. */
async function persist(path: string, body: object): Promise<void> {
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': randomUUID(),
  };
  for (;;) {
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${server.url}/api/v1${path}`, request).catch(() => null);
    if (answer?.status === 201) return;
    if (answer && answer.status !== 409) expect(answer.status).toBeGreaterThanOrEqual(500);
    await wait(50 + Math.random() * 50);
  }
}

/** Eight clients share the work, slowly enough that several kills fall into it. */
async function inParallel<T>(work: T[], one: (item: T) => Promise<void>): Promise<void> {
  const client = async () => {
    for (let item = work.pop(); item !== undefined; item = work.pop()) {
      await one(item);
      await wait(60);
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
}

async function ask<Row extends object>(sql: string): Promise<Row> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<Row>(sql);
  await client.end();
  return rows[0] as Row;
}

it('a server killed over and over during 500 keyed creates leaves 500 contacts and 500 events', async () => {
  const names = Array.from({ length: 500 }, (_, n) => `killed ${n}`);
  const killing = server.killRepeatedly(scaled(12, 100), () => names.length === 0);
  await inParallel(names, (name) => persist('/contacts', { name }));
  await killing;
  const counts = await ask(`
    SELECT (SELECT count(*)::int FROM contacts WHERE name LIKE 'killed %') AS contacts,
      (SELECT count(DISTINCT name)::int FROM contacts WHERE name LIKE 'killed %') AS names,
      (SELECT count(*)::int FROM events WHERE payload->'data'->'object'->>'name' LIKE 'killed %') AS events,
      (SELECT count(*)::int FROM idempotency_records WHERE status = 201) AS answers`);
  expect(counts).toEqual({ contacts: 500, names: 500, events: 500, answers: 500 });
});

it(
  'a server killed over and over while it sends reaches every customer once, or says that it does not know [M1]',
  async () => {
    const total = scaled(200, 2_000);
    const phones = Array.from({ length: total }, (_, n) => `+3519${String(30_000_000 + n)}`);
    const killing = server.killRepeatedly(scaled(6, 20), () => phones.length === 0);
    await inParallel(phones, async (phone) => {
      await persist('/contacts', { phone });
      const found = await fetchContact(phone);
      await persist('/messages', { contact: found, text: `killed ${phone}` });
    });
    await killing;
    const counts = () =>
      ask<{ messages: number; waiting: number; failed: number; delivered: number; twice: number }>(`
      SELECT count(*)::int AS messages,
        count(*) FILTER (WHERE status IN ('queued', 'held'))::int AS waiting,
        count(*) FILTER (WHERE status = 'failed')::int AS failed,
        count(*) FILTER (WHERE copies = 1)::int AS delivered,
        count(*) FILTER (WHERE copies > 1)::int AS twice
      FROM (SELECT m.status, (SELECT count(*) FROM simulator_messages s
          WHERE s.company_id = m.company_id AND s.message_id = m.id) AS copies
        FROM messages m WHERE m.text LIKE 'killed %') AS sent`);
    // A job whose worker died is taken over when its heartbeat is missed.
    await expect
      .poll(async () => (await counts()).waiting, { timeout: scaled(120_000, 300_000), interval: 500 })
      .toBe(0);
    const { messages, twice, delivered, failed } = await counts();
    expect({ messages, twice, settled: delivered + failed >= total }).toEqual({
      messages: total,
      twice: 0,
      settled: true,
    });
    reached('M1', `${total} messages: ${delivered} once, ${failed} said to be unknown, 0 twice`);
  },
  scaled(300_000, 1_200_000),
);

async function fetchContact(phone: string): Promise<string> {
  for (;;) {
    const headers = { Authorization: `Bearer ${key}` };
    const url = `${server.url}/api/v1/contacts?phone=${encodeURIComponent(phone)}`;
    const answer = await fetch(url, { headers }).catch(() => null);
    if (answer?.ok) {
      const { data } = (await answer.json()) as { data: { id: string }[] };
      if (data[0]) return data[0].id;
    }
    await wait(50);
  }
}
