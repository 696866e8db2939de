import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  DriverAdapterError,
} from '@prisma/driver-adapter-utils';
import type {
  MigrationList,
  SchemaContainer,
  SchemaEngine,
  SchemaFilter,
} from '@prisma/schema-engine-wasm/schema_engine_bg';
import type * as SchemaEngineGlue from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';

const PRISMA_DIR = fileURLToPath(new URL('../../prisma/', import.meta.url));
const MIGRATIONS_DIR = join(PRISMA_DIR, 'migrations');
const SCHEMA_DIR = join(PRISMA_DIR, 'schema');
/** Any constants will do; they only have to differ from other advisory locks of this database. */
const MIGRATION_LOCK = 7_203_114_402;
const SCRIPT_LOCK = MIGRATION_LOCK + 1;
const NO_FILTER: SchemaFilter = { externalTables: [], externalEnums: [] };

export interface MigrateOptions {
  databaseUrl: string;
  /** Folder of `<name>/migration.sql`. Default: `prisma/migrations`. */
  migrationsDir?: string;
  /** Names of those that are wanted; all of the folder unless given. */
  only?: readonly string[];
  /** Told the name of each migration that was applied, and of unfinished ones that are tried again. */
  log?: (line: string) => void;
}

/**
 * Applies the migrations that the database lacks, each in one transaction, under a session advisory lock: of several
 * processes that start together one migrates, the others wait and find nothing to do.
 * A database that is current costs one connection and one query; the schema engine is not loaded.
 */
export async function migrate(options: MigrateOptions): Promise<{ applied: string[] }> {
  const { databaseUrl, migrationsDir = MIGRATIONS_DIR, only, log } = options;
  const names = (await migrationNames(migrationsDir)).filter((name) => only?.includes(name) ?? true);
  return withClient(databaseUrl, async (client) => {
    if ((await missing(client, names)).length === 0) return { applied: [] };
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    // PostgreSQL carries on with the script of a process that was killed: wait for its end.
    await client.query('select pg_advisory_xact_lock($1)', [SCRIPT_LOCK]);
    if ((await missing(client, names)).length === 0) return { applied: [] };

    const migrationsList = await readMigrations(migrationsDir, names);
    return withEngine(databaseUrl, undefined, async (engine) => {
      // A process killed while migrating may leave a row without an end. Scripts record their end in their own
      // transaction (see EnginePg), so nothing of this one is there, and it may run again.
      for (const migrationName of await unfinished(client)) {
        log?.(`${migrationName}: was interrupted, trying again`);
        await engine.markMigrationRolledBack({ migrationName });
      }
      const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters: NO_FILTER });
      for (const name of appliedMigrationNames) log?.(`${name}: applied`);
      return { applied: appliedMigrationNames };
    });
  });
}

/** Names of the migrations that the database lacks, oldest first. One connection and one query. */
export async function pendingMigrations(databaseUrl: string): Promise<string[]> {
  return withClient(databaseUrl, pendingIn);
}

/** The same over connections that are open; used by the readiness probe. */
export async function pendingIn(database: pg.Client | pg.Pool): Promise<string[]> {
  return missing(database, await migrationNames());
}

/**
 * Differences between a migrated database and `prisma/schema`, as SQL that would bring the database to the schema.
 * Empty when they agree. What Prisma has no words for (checks, partial and expression indexes, generated columns,
 * functions) is invisible to it and needs no exception here; a plain index belongs into the schema.
 */
export async function schemaDrift(databaseUrl: string): Promise<string[]> {
  const files = await readSchema();
  return withEngine(databaseUrl, files, async (engine) => {
    const { stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: PRISMA_DIR },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: null,
      filters: NO_FILTER,
    });
    return statements(stdout ?? '');
  });
}

function statements(script: string): string[] {
  return script
    .split(/;\s*$/m)
    .map((statement) => statement.replace(/^--.*$/gm, '').trim())
    .filter((statement) => statement !== '');
}

async function withClient<T>(databaseUrl: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  // What breaks later is told by the query.
  await client.on('error', () => {}).connect();
  try {
    return await run(client);
  } finally {
    await client.end(); // And with the session the advisory lock.
  }
}

async function missing(client: pg.Client | pg.Pool, names: readonly string[]): Promise<string[]> {
  if (!(await hasHistory(client))) return [...names];
  const { rows } = await client.query<{ name: string }>(
    'select migration_name as name from _prisma_migrations where finished_at is not null and rolled_back_at is null',
  );
  const done = new Set(rows.map((row) => row.name));
  return names.filter((name) => !done.has(name));
}

async function unfinished(client: pg.Client): Promise<string[]> {
  if (!(await hasHistory(client))) return [];
  const { rows } = await client.query<{ name: string }>(
    'select migration_name as name from _prisma_migrations where finished_at is null and rolled_back_at is null',
  );
  return rows.map((row) => row.name);
}

async function hasHistory(client: pg.Client | pg.Pool): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    "select to_regclass('_prisma_migrations') is not null as there",
  );
  return rows[0]?.there === true;
}

/** All migrations there are, oldest first. */
export async function migrationNames(migrationsDir = MIGRATIONS_DIR): Promise<string[]> {
  const entries = await readdir(migrationsDir, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

async function readMigrations(migrationsDir: string, names: readonly string[]): Promise<MigrationList> {
  return {
    baseDir: migrationsDir,
    lockfile: {
      path: 'migration_lock.toml',
      content: await readFile(join(migrationsDir, 'migration_lock.toml'), 'utf8'),
    },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.map(async (name) => ({
        path: name,
        migrationFile: {
          path: 'migration.sql',
          content: {
            tag: 'ok' as const,
            value: await readFile(join(migrationsDir, name, 'migration.sql'), 'utf8'),
          },
        },
      })),
    ),
  };
}

async function readSchema(): Promise<SchemaContainer[]> {
  const names = (await readdir(SCHEMA_DIR)).filter((name) => name.endsWith('.prisma')).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(SCHEMA_DIR, name);
      return { path, content: await readFile(path, 'utf8') };
    }),
  );
}

/**
 * The pg adapter with two things changed for the schema engine:
 * - `executeScript` splits at every semicolon, those of function bodies included, and commits each part by itself.
 *   Sent as one simple query, a migration is one transaction, which here also records that it is done. Only
 *   CONCURRENTLY cannot run in one; such a migration holds that statement alone.
 * - It cannot read PostgreSQL's one-byte "char", which the engine's look at foreign keys needs; cast and declared a
 *   character, it passes. Check and exclusion constraints have no place in Prisma's schema, so the engine is told
 *   there are none.
 */
class EnginePg extends PrismaPg {
  override async connect(): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => {
      const result = await queryRaw({
        ...query,
        sql: query.sql
          .replace(/\bcon\.(confdeltype|confupdtype)\b/g, 'con.$1::text AS $1')
          .replace('constr.contype AS constraint_type', "'c' AS constraint_type")
          .replace("AND contype NOT IN ('p', 'u', 'f')", 'AND false'),
      });
      const columnTypes = result.columnTypes.map((type, column) =>
        /^conf(del|upd)type$/.test(result.columnNames[column] ?? '') ? ColumnTypeEnum.Character : type,
      );
      return { ...result, columnTypes };
    };
    adapter.executeScript = async (script) => {
      try {
        await adapter.underlyingDriver().query(/\bconcurrently\b/i.test(script) ? script : recorded(script));
      } catch (error) {
        if (!(error instanceof pg.DatabaseError)) throw error;
        throw new DriverAdapterError({
          kind: 'postgres',
          code: error.code ?? 'XX000',
          severity: error.severity ?? 'ERROR',
          message: `${error.message}${error.position ? ` at: ${script.slice(Number(error.position) - 1).slice(0, 200)}` : ''}`,
          detail: error.detail,
          column: error.column,
          hint: error.hint,
        });
      }
    };
    return adapter;
  }
}

/** Prisma's schema engine, compiled to WebAssembly, over the pg driver: no native binary, no network. */
async function withEngine<T>(
  databaseUrl: string,
  files: SchemaContainer[] | undefined,
  run: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  const glue = await loadEngine();
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 10_000,
    // A migration that cannot get its locks fails after 2 s rather than queueing every request behind it.
    options: '-c lock_timeout=2s',
  });
  try {
    const adapter = bindMigrationAwareSqlAdapterFactory(new EnginePg(pool));
    const datamodels = files?.map(({ path, content }): [string, string] => [path, content]);
    const engine = await glue.SchemaEngine.new({ datamodels }, () => {}, adapter);
    try {
      return await run(engine);
    } finally {
      engine.free();
    }
  } finally {
    await pool.end();
  }
}

function recorded(script: string): string {
  return `select pg_advisory_xact_lock(${SCRIPT_LOCK});
${script};
update _prisma_migrations set finished_at = now() where finished_at is null and rolled_back_at is null;`;
}

/** The part used here; the compiler's `lib` has it only together with the DOM. */
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: Record<string, object>,
  ): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>;
};

type Glue = typeof SchemaEngineGlue;
let engineGlue: Promise<Glue> | undefined;

function loadEngine(): Promise<Glue> {
  engineGlue ??= (async () => {
    const glue = await import('@prisma/schema-engine-wasm/schema_engine_bg');
    // Where the engine leaves its last words; without it a panic hides behind a TypeError.
    if (!('PRISMA_WASM_PANIC_REGISTRY' in globalThis)) {
      Object.assign(globalThis, {
        PRISMA_WASM_PANIC_REGISTRY: {
          set_message(message: string) {
            throw new Error(`Prisma's schema engine gave up: ${message}`);
          },
        },
      });
    }
    const folder = dirname(
      createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg'),
    );
    const { instance } = await WebAssembly.instantiate(
      await readFile(join(folder, 'schema_engine_bg.wasm')),
      {
        './schema_engine_bg.js': glue,
      },
    );
    // oxlint-disable no-underscore-dangle -- wasm-bindgen's names
    glue.__wbg_set_wasm(instance.exports);
    instance.exports.__wbindgen_start();
    // oxlint-enable no-underscore-dangle
    return glue;
  })();
  return engineGlue;
}
