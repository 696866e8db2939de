import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack, type Pack } from 'tar-stream';
import type { Storage } from '../platform/storage.ts';
import { version } from '../platform/version.ts';
import {
  type BackupCounts,
  filesFolder,
  jobsEntry,
  type Manifest,
  manifestEntry,
  tablesFolder,
} from './format.ts';
import { Snapshot } from './snapshot.ts';

export interface BackupOptions {
  databaseUrl: string;
  storage: Storage;
  secretMark: string;
  /** Where it is written, readable by its owner alone; under another name until it is whole. */
  file: string;
  now: Date;
  /** Told once how many rows there are, and then how many more were written. */
  onTotal?(rows: number): void;
  onRows?(rows: number): void;
}

/** Rows of a table in one entry of the archive, in bytes. */
const partBytes = 4 * 1024 * 1024;

/**
 * Writes all of an installation to one file: every row as of one moment, the jobs that wait, and the files of the
 * store. Others may go on writing. SECRET is not in it: without the same one a restored installation can't read the
 * credentials of its channels and the signing secrets of its endpoints.
 */
export async function writeBackup(options: BackupOptions): Promise<BackupCounts> {
  const part = `${options.file}.part`;
  const archive = pack();
  const writing = pipeline(archive, createGzip(), createWriteStream(part, { mode: 0o600 }));
  try {
    const [counts] = await Promise.all([
      fill(archive, options).catch((error: unknown) => {
        archive.destroy(error instanceof Error ? error : new Error(String(error)));
        throw error;
      }),
      writing,
    ]);
    await rename(part, options.file);
    return counts;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function fill(archive: Pack, options: BackupOptions): Promise<BackupCounts> {
  const snapshot = await Snapshot.open(options.databaseUrl);
  try {
    const manifest: Manifest = {
      format: 1,
      version,
      created_at: options.now.toISOString(),
      migrations: await snapshot.migrations(),
      secret_mark: options.secretMark,
      tables: await snapshot.tables(),
      sequences: await snapshot.sequences(),
    };
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    options.onTotal?.(rows);
    await add(archive, manifestEntry, Buffer.from(JSON.stringify(manifest, null, 2)));
    for (const table of manifest.tables) {
      let number = 0;
      for await (const part of snapshot.rows(table, partBytes)) {
        await add(archive, `${tablesFolder}${table.name}/${String(++number).padStart(6, '0')}`, part);
      }
      options.onRows?.(table.rows);
    }
    const jobs = await snapshot.jobs();
    await add(archive, jobsEntry, Buffer.from(jobs.map((job) => `${JSON.stringify(job)}\n`).join('')));
    const files = await addFiles(archive, options.storage);
    archive.finalize();
    return { rows, jobs: jobs.length, files };
  } finally {
    await snapshot.close();
  }
}

async function addFiles(archive: Pack, storage: Storage): Promise<number> {
  let files = 0;
  for await (const { key, size } of storage.list()) {
    const stream = await storage.open(key);
    const entry = archive.entry({ name: filesFolder + key, size, mode: 0o600 });
    await pipeline(stream, entry);
    files++;
  }
  return files;
}

/** Resolves when there is room for more. */
function add(archive: Pack, name: string, content: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    archive.entry({ name, mode: 0o600 }, content, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}
