import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { extract } from 'tar-stream';
import { Jobs } from '../platform/jobs.ts';
import type { Log } from '../platform/log.ts';
import { migrate, migrationNames, pendingMigrations } from '../platform/migrate.ts';
import { OperatorError } from '../platform/operator-error.ts';
import type { Storage } from '../platform/storage.ts';
import { eraseContact } from '../privacy/erase.ts';
import { listErasures } from '../privacy/erased-list.ts';
import {
  type BackupCounts,
  filesFolder,
  jobsEntry,
  Manifest,
  manifestEntry,
  notBackup,
  SavedJob,
  tablesFolder,
} from './format.ts';
import { Load } from './load.ts';

export interface RestoreOptions {
  databaseUrl: string;
  storage: Storage;
  /** Of this installation's SECRET; null takes a backup of any other. */
  secretMark: string | null;
  file: string;
  log: Log;
  onTotal?(rows: number): void;
  onRows?(rows: number): void;
}

/**
 * Brings a backup back into a database without companies, whole or not at all, and then to the present schema. Jobs
 * that waited run once a server starts.
 * @throws OperatorError when the database is in use, or the file is no backup, newer than this Parlour, or of an
 * installation with another SECRET
 */
export async function restoreBackup(options: RestoreOptions): Promise<BackupCounts> {
  const { databaseUrl, storage, log } = options;
  const counts: BackupCounts = { rows: 0, jobs: 0, files: 0 };
  const kept: string[] = [];
  let queue: Jobs | undefined;
  let load: Load | undefined;
  let manifest: Manifest | undefined;
  const jobs: SavedJob[] = [];
  try {
    for await (const { name, stream } of entriesOf(options.file)) {
      if (!manifest || !load) {
        manifest = await readManifest(name, stream, options);
        await prepare(databaseUrl, manifest);
        queue = new Jobs(databaseUrl, log);
        await queue.start();
        load = await Load.open(databaseUrl, manifest);
        options.onTotal?.(manifest.tables.reduce((sum, { rows }) => sum + rows, 0));
      } else if (name.startsWith(tablesFolder)) {
        const table = name.slice(tablesFolder.length).split('/', 1)[0] ?? '';
        const rows = await load.copy(table, stream);
        counts.rows += rows;
        options.onRows?.(rows);
      } else if (name === jobsEntry) {
        jobs.push(...(await buffer(stream)).toString().split('\n').filter(Boolean).map(readJob));
      } else if (name.startsWith(filesFolder)) {
        const key = name.slice(filesFolder.length);
        kept.push(key);
        await storage.write(key, stream);
        counts.files++;
      }
    }
    if (!load || !queue) throw notBackup();
    await load.commit(queue, jobs);
  } catch (error) {
    await load?.rollback();
    for (const key of kept) await storage.remove(key).catch(() => undefined);
    throw isBroken(error) ? notBackup() : error;
  } finally {
    await queue?.stop();
  }
  await migrate({ databaseUrl });
  await eraseAgain(databaseUrl, storage);
  return { ...counts, jobs: jobs.length };
}

/** The backup may be from before a person was erased: they go again. */
async function eraseAgain(databaseUrl: string, storage: Storage): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, application_name: 'parlour-restore' });
  try {
    for (const person of await listErasures(storage)) {
      const { rows } = await pool.query(
        'SELECT FROM contacts WHERE company_id = $1 AND id = $2 AND anonymised_at IS NULL',
        [person.companyId, person.contactId],
      );
      if (rows.length > 0) await eraseContact({ pool, storage }, { ...person, now: new Date(), patience: 0 });
    }
  } finally {
    await pool.end();
  }
}

async function* entriesOf(file: string): AsyncGenerator<{ name: string; stream: Readable }> {
  const archive = extract();
  // What fails on the way ends the loop below.
  pipeline(createReadStream(file), createGunzip(), archive, () => undefined);
  for await (const entry of archive) {
    const stream = entry as unknown as Readable;
    yield { name: entry.header.name, stream };
    stream.resume();
  }
}

async function readManifest(name: string, stream: Readable, options: RestoreOptions): Promise<Manifest> {
  if (name !== manifestEntry) throw notBackup();
  const text = (await buffer(stream)).toString();
  let manifest: Manifest;
  try {
    manifest = Manifest.parse(JSON.parse(text));
  } catch {
    throw notBackup();
  }
  if (options.secretMark !== null && manifest.secret_mark !== options.secretMark)
    throw new OperatorError(
      'The backup was made with another SECRET: without it, credentials of channels and signing secrets can’t be read. ' +
        'Set SECRET or SECRET_FILE to the old one, or give --other-secret to restore without them.',
    );
  return manifest;
}

/** Brings an empty database to the schema of the backup, and one that is there already must have just that. */
async function prepare(databaseUrl: string, { migrations }: Manifest): Promise<void> {
  const known = await migrationNames();
  const newer = migrations.filter((name) => !known.includes(name));
  if (newer.length > 0)
    throw new OperatorError(`The backup is of a newer Parlour (it has ${newer.join(', ')}): update first.`);
  await migrate({ databaseUrl, only: migrations });
  const pending = await pendingMigrations(databaseUrl);
  const more = known.filter((name) => !migrations.includes(name) && !pending.includes(name));
  if (more.length > 0)
    throw new OperatorError(
      `The database is newer than the backup (it has ${more.join(', ')}): restore into one that is empty, it is migrated afterwards.`,
    );
}

function readJob(line: string): SavedJob {
  return SavedJob.parse(JSON.parse(line));
}

/** Errors of gunzip, of the archive's own form, and of rows that PostgreSQL can't read or that break a rule. */
function isBroken(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = String(Reflect.get(error, 'code'));
  return /^(Z_|2[23]...$)/.test(code) || /tar (header|archive)|end of (data|file)/i.test(error.message);
}
