import { expect, it } from 'vitest';
import { useServer } from './support/server.ts';

const server = useServer();

it('jobs that come at once are looked up one by one, though the queue was empty when it was analysed', async () => {
  const { pool } = server().app;
  const add = (name: string, state: string, count: number) =>
    pool.query(
      `INSERT INTO jobs.job (id, name, state) SELECT gen_random_uuid(), $1, $2::jobs.job_state FROM generate_series(1, $3)`,
      [name, state, count],
    );
  await add('messages.send', 'completed', 3_000);
  await pool.query('ANALYZE jobs.job_common');
  await add('automation.away', 'cancelled', 3_000);
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN UPDATE jobs.job SET state = 'active' FROM (SELECT id FROM jobs.job_common
       WHERE name = 'automation.away' AND state < 'active' AND NOT blocked ORDER BY priority DESC, created_on LIMIT 20) next
     WHERE name = 'automation.away' AND job.id = next.id`,
  );
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index Cond: .*id = /);
});
