import { expect } from 'vitest';
import type { RunningApp } from '../../server/app.ts';

/**
 * Until all that was written is below the horizon. A subscription starts there: while any transaction of the database
 * is still open, what was committed just before would be told to it as well.
 */
export async function settled({ pool }: Pick<RunningApp, 'pool'>): Promise<void> {
  const late = async () => {
    const { rows } = await pool.query<{ late: boolean }>(
      'SELECT EXISTS (SELECT FROM events WHERE sequence >= event_horizon()) AS late',
    );
    return rows[0]?.late;
  };
  await expect.poll(late, { timeout: 10_000 }).toBe(false);
}
