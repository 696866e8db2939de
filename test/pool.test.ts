import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { PatientPool } from '../server/platform/pool.ts';
import { createTestDatabase } from './support/postgres.ts';

const patience = 600;
const opened: { end(): Promise<void> }[] = [];

async function openPool(max: number, connectionTimeoutMillis = patience): Promise<PatientPool> {
  const database = await createTestDatabase();
  const pool = new PatientPool({
    connectionString: database.url,
    max,
    connectionTimeoutMillis,
  });
  opened.push({
    async end() {
      await pool.end();
      await database.drop();
    },
  });
  return pool;
}

afterEach(async () => {
  for (const one of opened.splice(0)) await one.end();
});

describe('a pool', () => {
  it('lets callers wait longer than its patience while others make progress', async () => {
    const pool = await openPool(2);
    // Twenty waits of a fifth of the patience on two connections: the last waits for about twice the patience.
    const queries = Array.from({ length: 20 }, () => pool.query(`SELECT pg_sleep(${patience / 5 / 1000})`));
    expect(pool.queueLength).toBe(18);
    await expect(Promise.all(queries)).resolves.toHaveLength(20);
    expect(pool.queueLength).toBe(0);
  });

  it('tells all that wait when nothing is released for that long, and recovers', async () => {
    const pool = await openPool(2);
    const held = [await pool.connect(), await pool.connect()];
    const waiting = await Promise.allSettled(Array.from({ length: 5 }, () => pool.query('SELECT 1')));
    for (const one of waiting) {
      expect(one.status).toBe('rejected');
      if (one.status === 'rejected')
        expect(String(one.reason)).toContain('timeout exceeded when trying to connect');
    }
    for (const client of held) client.release();
    await expect(Promise.all(Array.from({ length: 5 }, () => pool.query('SELECT 1')))).resolves.toHaveLength(
      5,
    );
  });

  it('lets them wait while it is told that the database answers', async () => {
    const long = 5 * patience;
    const pool = await openPool(1, long);
    const held = await pool.connect();
    const waiting = pool.query('SELECT 1');
    for (const end = performance.now() + 1.2 * long; performance.now() < end; await wait(patience / 10))
      pool.revive();
    held.release();
    expect((await waiting).rowCount).toBe(1);
  });

  it('knows how long a slow database makes the next wait', async () => {
    const pool = await openPool(2);
    const held = [await pool.connect(), await pool.connect()];
    const waiting = Promise.all(Array.from({ length: 10 }, () => pool.query('SELECT 1')));
    expect(pool.shortestWait).toBe(0);
    pool.roundTrip = 400;
    expect(pool.shortestWait).toBe(2_000);
    for (const client of held) client.release();
    await waiting;
    expect(pool.shortestWait).toBe(0);
  });

  it('passes turns on when connections break or queries fail', async () => {
    const pool = await openPool(2);
    pool.on('error', () => {});
    const mixed = await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) =>
        pool.query(
          n % 3 === 0
            ? 'SELECT pg_terminate_backend(pg_backend_pid())'
            : n % 3 === 1
              ? 'SELECT 1 / 0'
              : 'SELECT 1',
        ),
      ),
    );
    expect(mixed.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(1);
    await expect(Promise.all(Array.from({ length: 10 }, () => pool.query('SELECT 1')))).resolves.toHaveLength(
      10,
    );
    expect(pool.queueLength).toBe(0);
  });

  it('refuses those that wait when it is closed', async () => {
    const pool = await openPool(1);
    const client = await pool.connect();
    const waiting = pool.query('SELECT 1');
    const ended = opened.pop();
    const closing = ended?.end();
    await expect(waiting).rejects.toThrow('closed');
    client.release();
    await closing;
  });
});
