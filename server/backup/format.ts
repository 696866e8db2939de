import { z } from 'zod';
import { OperatorError } from '../platform/operator-error.ts';

/**
 * A backup is a tar file in gzip: `manifest.json` first, then the rows of each table in PostgreSQL's COPY text as
 * `tables/<table>/<n>`, the jobs that wait as `jobs.ndjson`, and the files of the store as `files/<key>`.
 */
export const Manifest = z.object({
  format: z.literal(1),
  /** Of the Parlour that wrote it. */
  version: z.string(),
  created_at: z.iso.datetime(),
  /** Names of the migrations that the database had, oldest first. */
  migrations: z.array(z.string()),
  /** Tells whether SECRET is the one that credentials and signing secrets are sealed with; says nothing else of it. */
  secret_mark: z.string(),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.int().min(0) })),
  sequences: z.array(z.object({ name: z.string(), last_value: z.string(), is_called: z.boolean() })),
});
export type Manifest = z.infer<typeof Manifest>;

/** A job that had not ended. */
export const SavedJob = z.object({
  name: z.string(),
  data: z.record(z.string(), z.unknown()),
  start_after: z.iso.datetime({ offset: true }),
  singleton_key: z.string().nullable(),
});
export type SavedJob = z.infer<typeof SavedJob>;

export const manifestEntry = 'manifest.json';
export const jobsEntry = 'jobs.ndjson';
export const tablesFolder = 'tables/';
export const filesFolder = 'files/';

/** What a backup tells of SECRET. */
export function secretMark(secrets: { derive(purpose: string): Buffer }): string {
  return secrets.derive('backup mark').subarray(0, 8).toString('hex');
}

/** Counts of what was written or read. */
export interface BackupCounts {
  rows: number;
  jobs: number;
  files: number;
}

export function notBackup(): OperatorError {
  return new OperatorError('The file is no backup of Parlour, or a part of it is missing.');
}
