import type { Pool } from 'pg';

/** Where the time comes from. Tests give one that they can move. */
export interface Clock {
  now(): Date;
}

/** Between two looks at the database's clock, in milliseconds. */
const interval = 10_000;
/** Differences below this are not worth a step of the clock. */
const tolerance = 20;

/** What the database's clock showed when we last looked, on ours that nobody sets. */
let shown = Date.now();
let looked = performance.now();

/**
 * The database's time in milliseconds, which all processes share, whatever the clocks of their machines say and
 * however they jump. Between two looks it goes on by the monotonic clock.
 */
export function databaseTime(): number {
  return Math.floor(shown + performance.now() - looked);
}

export const databaseClock: Clock = { now: () => new Date(databaseTime()) };

/** Looks at the database's clock now and every ten seconds. @returns what ends it */
export async function followDatabase(pool: Pick<Pool, 'query'>): Promise<() => void> {
  await look(pool);
  // One that does not answer is looked at again.
  const timer = setInterval(() => void look(pool).catch(() => {}), interval).unref();
  return () => clearInterval(timer);
}

async function look(pool: Pick<Pool, 'query'>): Promise<void> {
  const asked = performance.now();
  const { rows } = await pool.query<{ now: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
  );
  const answered = performance.now();
  const way = (answered - asked) / 2;
  const now = (rows[0]?.now ?? Date.now()) + way;
  // The answer may be wrong by its way: ours is kept until it is surely worse.
  if (Math.abs(now - databaseTime()) <= 2 * way + tolerance) return;
  shown = now;
  looked = answered;
}
