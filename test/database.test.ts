import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate, pendingMigrations, schemaDrift } from '../server/platform/migrate.ts';
import { connect } from './support/connect.ts';
import { createTestDatabase } from './support/postgres.ts';

/** A database without migrations. */
const createEmptyDatabase = () => createTestDatabase({ migrated: false });

describe('migrate', () => {
  const MIGRATIONS = fileURLToPath(new URL('../prisma/migrations/', import.meta.url));
  const all = ['20261128000000_data_model', '20261128000100_constraints'];

  test('fills an empty database, then finds nothing to do', async () => {
    const { url: databaseUrl, drop } = await createEmptyDatabase();
    expect(await pendingMigrations(databaseUrl)).toEqual(expect.arrayContaining(all));
    const { applied } = await migrate({ databaseUrl });
    expect(applied).toEqual(expect.arrayContaining(all));
    expect(await pendingMigrations(databaseUrl)).toEqual([]);
    expect(await migrate({ databaseUrl })).toEqual({ applied: [] });
    await drop();
  });

  test('of several at once, one migrates', async () => {
    const { url: databaseUrl, drop } = await createEmptyDatabase();
    const results = await Promise.all([1, 2, 3].map(() => migrate({ databaseUrl })));
    expect(results.filter(({ applied }) => applied.length > 0)).toHaveLength(1);
    const client = await connect(databaseUrl);
    const { rows } = await client.query<{ n: number }>(
      'select count(*)::int as n from _prisma_migrations group by migration_name',
    );
    expect(rows.every(({ n }) => n === 1)).toBe(true);
    await client.end();
    await drop();
  });

  test('a migration that fails leaves nothing behind, and runs once it is mended', async () => {
    const { url: databaseUrl, drop } = await createEmptyDatabase();
    const migrationsDir = await mkdtemp(path.join(os.tmpdir(), 'parlour-migrations-'));
    await cp(path.join(MIGRATIONS, 'migration_lock.toml'), path.join(migrationsDir, 'migration_lock.toml'));
    await mkdir(path.join(migrationsDir, '1_first'));
    const file = path.join(migrationsDir, '1_first', 'migration.sql');
    await writeFile(file, "create table one (note text default ';'); select 1 / 0;");
    await expect(migrate({ databaseUrl, migrationsDir })).rejects.toThrow(/division by zero/);
    await writeFile(file, "create table one (note text default ';');");
    expect(await migrate({ databaseUrl, migrationsDir })).toEqual({ applied: ['1_first'] });
    await rm(migrationsDir, { recursive: true });
    await drop();
  });

  test('a process killed at any moment of migrating is no obstacle to the next', async () => {
    const module = new URL('../server/platform/migrate.ts', import.meta.url).href;
    for (const delay of [0, 40, 80, 160]) {
      const { url: databaseUrl, drop } = await createEmptyDatabase();
      const script = `const { migrate } = await import('${module}');
        process.stdout.write('go');
        await migrate({ databaseUrl: '${databaseUrl}' });`;
      const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
      await once(child.stdout, 'data');
      await setTimeout(delay);
      child.kill('SIGKILL');
      await once(child, 'close');
      await migrate({ databaseUrl });
      expect(await pendingMigrations(databaseUrl)).toEqual([]);
      expect(await schemaDrift(databaseUrl)).toEqual([]);
      await drop();
    }
  });

  test('the database and prisma/schema agree', async () => {
    const { url, drop } = await createTestDatabase();
    expect(await schemaDrift(url)).toEqual([]);
    const client = await connect(url);
    await client.query('alter table contacts add column stray text');
    expect(await schemaDrift(url)).toEqual([expect.stringContaining('DROP COLUMN "stray"')]);
    await client.end();
    await drop();
  });
});

describe('shape', () => {
  let client: pg.Client;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const database = await createTestDatabase();
    client = await connect(database.url);
    drop = database.drop;
  });
  afterAll(async () => {
    await client.end();
    await drop();
  });

  const names = async (sql: string): Promise<string[]> =>
    (await client.query<{ name: string }>(sql)).rows.map(({ name }) => name);

  const TENANT_TABLES = `
    select c.oid, c.relname from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id')`;

  test('every tenant table has a primary key that starts with company_id', async () => {
    const tables = await names(`select relname as name from (${TENANT_TABLES}) t`);
    expect(tables.length).toBeGreaterThan(45);
    const bad = await names(`
      with t as (${TENANT_TABLES})
      select t.relname as name from t
      left join pg_index i on i.indrelid = t.oid and i.indisprimary
      left join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
      where a.attname is distinct from 'company_id'`);
    expect(bad).toEqual([]);
  });

  test('every foreign key between tenant tables joins on company_id', async () => {
    const bad = await names(`
      with t as (${TENANT_TABLES})
      select con.conname as name
      from pg_constraint con join t child on child.oid = con.conrelid join t parent on parent.oid = con.confrelid
      where con.contype = 'f' and not exists (
        select from unnest(con.conkey, con.confkey) as k(child, parent)
        join pg_attribute a on a.attrelid = con.conrelid and a.attnum = k.child and a.attname = 'company_id'
        join pg_attribute b on b.attrelid = con.confrelid and b.attnum = k.parent and b.attname = 'company_id')`);
    expect(bad).toEqual([]);
  });

  test('every column that names another row is a foreign key, but for those that say why not', async () => {
    const WITHOUT = new Set([
      // The kind of the principal varies.
      'author_id',
      'actor_id',
      'principal_id',
      'target_id',
      // Ids that are not ours, or only echo a request.
      'provider_id',
      'external_id',
      'request_id',
      'credentials_key_id',
      'key_id',
      'mirror_of',
    ]);
    // Logs outlive what they name, and the event log is dropped by age.
    const LOGS = new Set(['events', 'audit_logs', 'request_logs', 'idempotency_records', 'audit_chains']);
    const OTHER = new Set([
      'contact_tag_changes.tag_id',
      'ai_suggestions.tag_id',
      'webhook_deliveries.event_id',
      'webhook_deliveries.conversation_id',
      'webhook_endpoints.skip_api_key_id',
      'notifications.event_id',
      'simulator_messages.message_id',
    ]);
    const columns = await names(`
      with t as (${TENANT_TABLES})
      select t.relname || '.' || a.attname as name
      from t join pg_attribute a on a.attrelid = t.oid
      where a.attname like '%\\_id' and a.attnum > 0 and not a.attisdropped
        and not exists (select from pg_constraint con
                        where con.conrelid = t.oid and con.contype = 'f' and a.attnum = any (con.conkey))
      order by 1`);
    const bad = columns.filter((name) => {
      const [table = '', column = ''] = name.split('.');
      return !WITHOUT.has(column) && !LOGS.has(table) && !OTHER.has(name);
    });
    expect(bad).toEqual([]);
  });

  test('a foreign key to a table that grows has an index behind it', async () => {
    // Rows of these are few and are not deleted one by one.
    const SMALL = ['companies', 'users', 'roles', 'channels', 'teams', 'logins'];
    const bad = await names(`
      select con.conname as name
      from pg_constraint con
      where con.contype = 'f' and con.connamespace = 'public'::regnamespace
        and con.confrelid::regclass::text <> all ('{${SMALL.join()}}')
        and not exists (
          select from pg_index i
          where i.indrelid = con.conrelid
            and con.conkey @> (i.indkey::int2[])[0:cardinality(con.conkey) - 1]
            and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) ~ '^\\(\\w+ IS NOT NULL\\)$'))`);
    expect(bad).toEqual([]);
  });

  test('references that do not cascade can be deferred, for the removal of a company', async () => {
    const bad = await names(`
      select conname as name from pg_constraint
      where contype = 'f' and confdeltype = 'a' and not condeferrable and connamespace = 'public'::regnamespace`);
    expect(bad).toEqual([]);
  });

  test('every time is timestamptz(3)', async () => {
    const bad = await names(`
      select c.table_name || '.' || c.column_name as name from information_schema.columns c
      where c.table_schema = 'public' and c.table_name <> '_prisma_migrations'
        and (c.data_type ~ '^(timestamp|date|time)') 
        and not (c.data_type = 'timestamp with time zone' and c.datetime_precision = 3)`);
    expect(bad).toEqual([]);
  });

  test('every column is the snake_case of a field, money is bigint, closed word lists are checked', async () => {
    const odd = await names(`
      select c.table_name || '.' || c.column_name as name from information_schema.columns c
      where c.table_schema = 'public' and c.column_name !~ '^[a-z][a-z0-9]*(_[a-z0-9]+)*$'`);
    expect(odd).toEqual([]);
    const money = await names(`
      select c.table_name || '.' || c.column_name as name from information_schema.columns c
      where c.table_schema = 'public' and c.data_type <> 'bigint'
        and c.column_name in ('price', 'unit_price', 'subtotal', 'discount', 'shipping_fee', 'tax', 'revenue', 'cost')`);
    expect(money).toEqual([]);
    const unchecked = await names(`
      select c.table_name || '.' || c.column_name as name from information_schema.columns c
      where c.table_schema = 'public' and c.data_type = 'text'
        and c.column_name in ('status', 'kind', 'direction', 'mode', 'payment_status', 'source', 'author_type')
        and not exists (
          select from pg_constraint con
          join pg_attribute a on a.attrelid = con.conrelid and a.attnum = any (con.conkey) and a.attname = c.column_name
          where con.contype = 'c' and con.conrelid = c.table_name::regclass)`);
    expect(unchecked).toEqual([]);
  });
});
