import { expect, it } from 'vitest';
import { inUnitOfWork } from '../server/platform/unit-of-work.ts';
import { systemContext } from '../server/platform/system-context.ts';
import { useServer } from './support/server.ts';

const server = useServer();

it('plans of a unit of work are made for any company, and those of others are not', async () => {
  const { app, company } = server();
  const { id } = await company();
  const ctx = await systemContext(app, id);
  const modeOf = async (db: typeof ctx.db) =>
    (await db.$queryRaw<{ plan_cache_mode: string }[]>`SHOW plan_cache_mode`)[0]?.plan_cache_mode;
  expect(await inUnitOfWork(ctx, (work) => modeOf(work.db))).toBe('force_generic_plan');
  expect(await modeOf(ctx.db)).toBe('auto');
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
