import type { z } from 'zod';
import type { Column } from './csv-columns.ts';
import type { Context } from './context.ts';
import { AppError } from './errors.ts';
import type { Access } from './operation.ts';
import { inRehearsal, inUnitOfWork, type WorkContext } from './unit-of-work.ts';
import { validationError } from './validation.ts';

export interface ImportOptions {
  /** Does all of it and keeps nothing. */
  dryRun?: boolean;
  /** The column that each cell of a row is of, null for one that is not read; found by the header unless given. */
  columns?: readonly (string | null)[];
  /** Given the rows that were refused, as CSV with their line, code and reason; the first text has the header. */
  rejected?: (text: string) => Promise<void> | void;
  /** Told how many more rows are done, and at the start how many there are about. */
  onStart?: (rows: number) => void;
  onProgress?: (rows: number) => void;
  /** Ends the import between two batches: what is committed stays, and the same file may be imported again. */
  signal?: AbortSignal;
}

/** Why a row, or the rows that make up one record, were refused. */
export interface ImportProblem {
  /** Line in the file, the header being 1. */
  line: number;
  code: string;
  param: string | null;
  message: string;
}

/** `rows` of the file; the other counts are of records: rows = created + updated + skipped + failed where a row is one. */
export interface ImportResult {
  dry_run: boolean;
  rows: number;
  created: number;
  updated: number;
  /** There already, as the file has them. */
  skipped: number;
  failed: number;
  ignored_columns: string[];
  /** The first 20. */
  errors: ImportProblem[];
}

/** What one import knows beyond its batches. */
export interface ImportRun {
  dryRun: boolean;
  /** Keys of records that a dry run would have made by now: for later rows they are there. */
  made: Set<string>;
}

/** A row with its values by column. */
export interface ImportRow {
  line: number;
  values: Record<string, unknown>;
}

/** `line` is that of the row which the problem is about, where a record has several. */
export type Outcome = 'created' | 'updated' | 'skipped' | (Omit<ImportProblem, 'line'> & { line?: number });

/** How a resource is imported. `Input` is what a row, or the rows of one record, mean. */
export interface ImportPlan<Input> {
  access: Access;
  columns: readonly Column[];
  needed: readonly (readonly string[])[];
  /** Records of one batch. */
  batch: number;
  /** Rows that follow one another with the same key are one record of at most `rows`; each is one unless given. */
  group?: { keyOf(values: Record<string, unknown>): string | undefined; rows: number };
  /** Checks the form, before anything is locked. @throws AppError, zod error */
  read(rows: [ImportRow, ...ImportRow[]]): Input;
  /** Writes a batch, in order; one outcome for each. Opens its units of work with `inImport`. */
  write(ctx: Context, run: ImportRun, inputs: Input[]): Promise<Outcome[]>;
}

/** A unit of work of an import: the same code in a dry run, rolled back. */
export function inImport<T>(
  ctx: Context,
  run: ImportRun,
  effect: (ctx: WorkContext) => Promise<T>,
): Promise<T> {
  if (!run.dryRun) return inUnitOfWork(ctx, effect);
  return inRehearsal(ctx, (inner) => inUnitOfWork(inner, effect));
}

/** Values by the schema that the API has for them. @throws AppError */
export function checked<S extends z.ZodType>(schema: S, values: unknown): z.output<S> {
  const parsed = schema.safeParse(values);
  if (!parsed.success) throw validationError(parsed.error, values);
  return parsed.data;
}

/** What a refusal says of a row. Anything else that is thrown is no refusal, and ends the import. */
export function refusalOf(error: unknown): Exclude<Outcome, string> {
  if (!(error instanceof AppError)) throw error;
  return { code: error.details?.[0]?.code ?? error.code, param: error.param, message: error.message };
}
