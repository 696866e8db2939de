import { expect, it } from 'vitest';
import { inUnitOfWork } from '../server/platform/unit-of-work.ts';
import { systemContext } from '../server/platform/system-context.ts';
import { useServer } from './support/server.ts';

const server = useServer();

it('plans of a unit of work are made for any company and for tables that grow, those of others are not', async () => {
  const { app, company } = server();
  const { id } = await company();
  const ctx = await systemContext(app, id);
  const settingsOf = (db: typeof ctx.db) =>
    db.$queryRaw`SELECT current_setting('plan_cache_mode') AS mode, current_setting('enable_seqscan') AS seqscan`;
  const within = await inUnitOfWork(ctx, (work) => settingsOf(work.db));
  expect(within).toEqual([{ mode: 'force_generic_plan', seqscan: 'off' }]);
  expect(await settingsOf(ctx.db)).toEqual([{ mode: 'auto', seqscan: 'on' }]);
});

it('what a provider reports later of a message is written where the message stands', async () => {
  const { app } = server();
  const { rows } = await app.pool.query<{ column: string; index: string }>(
    `SELECT a.attname AS column, c.relname AS index FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     JOIN pg_depend d ON d.objid = i.indexrelid AND d.classid = 'pg_class'::regclass AND d.refobjid = i.indrelid
     JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = d.refobjsubid
     WHERE i.indrelid = 'messages'::regclass`,
  );
  expect(rows.length).toBeGreaterThan(20);
  const later = new Set([
    'status',
    'delivered_at',
    'read_at',
    'attempts',
    'attempted_at',
    'version',
    'updated_at',
  ]);
  expect(rows.filter(({ column }) => later.has(column))).toEqual([]);
});
