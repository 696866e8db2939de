import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { startEmbeddedPostgres } from '../../server/platform/embedded-postgres.ts';
import { migrate } from '../../server/platform/migrate.ts';
import { type Dataset, fillDataset, type SizeName } from './dataset.ts';

/** A copy of the data set that a run may change as it likes. */
export interface BenchDatabase extends Dataset {
  url: string;
  /** Folder of the PostgreSQL, and of what servers keep beside it. */
  folder: string;
  /** An empty database beside it, the same one every time. */
  empty(): Promise<string>;
  stop(): Promise<void>;
}

const Kept = z.object({ company: z.string(), user: z.string(), key: z.string() });

/* The same for both sides: no vacuum that happens to fall into one of them, but {@link vacuum} before both. When something was committed is kept, to
   tell how long it took from there. */
const settings = { autovacuum: 'off', max_connections: '200', track_commit_timestamp: 'on' };

/** How long workers may go on with what an operation has left to them, in milliseconds; what then remains is thrown away. */
const patience = 60_000;

/** Waits until workers have done what is due, so that nothing is measured beside what was measured before it. */
export async function untilIdle(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'benchmark' });
  await client.connect();
  try {
    const end = performance.now() + patience;
    const due = "FROM jobs.job WHERE state < 'completed' AND start_after <= now()";
    while ((await client.query(`SELECT 1 ${due} LIMIT 1`)).rowCount !== 0) {
      if (performance.now() > end) return void (await client.query(`DELETE ${due}`));
      await wait(200);
    }
  } finally {
    await client.end();
  }
}

/** Cleans up after what was measured before, as a PostgreSQL that is left alone does every minute. */
export async function vacuum(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'benchmark' });
  await client.connect();
  try {
    await client.query('VACUUM (ANALYZE)');
  } finally {
    await client.end();
  }
}

/** Where data sets are kept from one run to the next. */
export function benchFolder(): string {
  return process.env['BENCH_DIR'] ?? path.join(os.tmpdir(), 'parlour-bench');
}

/**
 * Opens the data set in a PostgreSQL of its own, made if it is not there yet, and copies it for this run.
 * @param fresh throws away what an earlier run made
 * @param copy false for a run that only reads
 */
export async function openBenchDatabase(size: SizeName, fresh: boolean, copy = true): Promise<BenchDatabase> {
  const folder = path.join(benchFolder(), size);
  if (fresh) fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const server = await startEmbeddedPostgres({ dataDir: folder, settings });
  try {
    const note = path.join(folder, 'dataset.json');
    const dataset = fs.existsSync(note)
      ? Kept.parse(JSON.parse(fs.readFileSync(note, 'utf8')))
      : await make(server.url, folder, note, size);
    // One that an older version made is brought up to date once, and not in each copy.
    await migrate({ databaseUrl: at(server.url, 'dataset') });
    const url = copy ? await copyOf(server.url, 'dataset', 'measured') : at(server.url, 'dataset');
    return { ...dataset, url, folder, empty: () => emptyDatabase(server.url, 'beside'), stop: server.stop };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/* The note is written last: what an earlier run did not finish is made anew. */
async function make(adminUrl: string, folder: string, note: string, size: SizeName): Promise<Dataset> {
  const url = await emptyDatabase(adminUrl, 'dataset');
  const dataset = await fillDataset(url, folder, size);
  fs.writeFileSync(note, JSON.stringify(dataset));
  return dataset;
}

async function emptyDatabase(adminUrl: string, name: string): Promise<string> {
  await asAdmin(adminUrl, [
    `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`,
    `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`,
  ]);
  return at(adminUrl, name);
}

async function copyOf(adminUrl: string, template: string, name: string): Promise<string> {
  await asAdmin(adminUrl, [
    `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`,
    `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`,
  ]);
  return at(adminUrl, name);
}

async function asAdmin(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

function at(adminUrl: string, name: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}
