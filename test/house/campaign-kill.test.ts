import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newId } from '../../server/platform/ids.ts';
import { KilledServer } from '../support/killed-server.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { reached } from '../support/reached.ts';
import { scaled } from '../support/scale.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let server: KilledServer;
let client: pg.Client;

beforeEach(async () => {
  database = await createTestDatabase();
  server = await KilledServer.over(database.url);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterEach(async () => {
  server.stop();
  await client.end();
  await database.drop();
});

it(
  'a campaign paused, resumed and killed over and over writes to each contact once, and its figures add up [C1]',
  async () => {
    const total = scaled(300, 10_000);
    const { company, keys } = await server.demo();
    const campaign = newId();
    await client.query('DELETE FROM contact_identities WHERE company_id = $1', [company]);
    await client.query('UPDATE contacts SET deleted_at = now() WHERE company_id = $1', [company]);
    await client.query(
      `INSERT INTO contacts (company_id, id, name, phone, phone_key)
     SELECT $1, '01K' || lpad(n::text, 23, '0'), 'Person', '+3519' || 40000000 + n, '+3519' || 40000000 + n
     FROM generate_series(1, $2::int) AS n`,
      [company, total],
    );
    const { rows } = await client.query<{ id: string }>(
      `UPDATE channels SET campaign_rate = $2 WHERE company_id = $1 AND kind = 'simulator' RETURNING id`,
      [company, scaled(30, 200)],
    );
    await client.query(
      `INSERT INTO campaigns (company_id, id, name, channel_id, status, text) VALUES ($1, $2, 'Killed', $3, 'queued', $4)`,
      [company, campaign, rows[0]?.id, `killed ${campaign}`],
    );
    server.start();
    const figures = async () => {
      const found = await client.query('SELECT * FROM campaigns WHERE id = $1', [campaign]);
      return found.rows[0] as { status: string } & Record<string, number>;
    };
    const post = (action: string) =>
      fetch(`${server.url}/api/v1/campaigns/${campaign}/${action}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${keys.live}`, 'Idempotency-Key': randomUUID() },
      }).catch(() => null);
    const state = { done: false };
    const killing = server.killRepeatedly(scaled(5, 20), () => state.done);
    // What a dead server did not answer may have happened or not: it is asked for again.
    const until = async (action: string) => {
      while (!state.done && !(await post(action))?.ok) await wait(100);
    };
    const interrupting = (async () => {
      for (let n = 0; n < scaled(5, 20) && !state.done; n++) {
        await wait(Math.random() * 1_500);
        await until('pause');
        await wait(Math.random() * 500);
        await until('resume');
      }
    })();
    await expect
      .poll(async () => (await figures()).status, { timeout: scaled(250_000, 900_000), interval: 200 })
      .toBe('completed');
    state.done = true;
    await Promise.all([killing, interrupting]);
    const counted = await client.query(
      `SELECT count(*)::int AS messages, count(DISTINCT contact_id)::int AS contacts FROM messages WHERE campaign_id = $1`,
      [campaign],
    );
    expect(counted.rows[0]).toEqual({ messages: total, contacts: total });
    const copies = await client.query(
      `SELECT count(*)::int AS n FROM simulator_messages s JOIN messages m ON m.company_id = s.company_id
       AND m.id = s.message_id AND m.campaign_id = $1 GROUP BY s.message_id HAVING count(*) > 1`,
      [campaign],
    );
    expect(copies.rows).toEqual([]);
    const last = await figures();
    expect(last).toMatchObject({ total, pending: 0, skipped: 0 });
    expect(Number(last['sent']) + Number(last['failed'])).toBe(total);
    reached('C1', `${total} recipients: each once, ${last['failed']} said to be unknown`);
  },
  scaled(300_000, 1_200_000),
);
