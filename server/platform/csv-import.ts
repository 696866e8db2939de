import { CsvFileError } from './csv.ts';
import { BatchWriter, type RecordRows } from './csv-batch.ts';
import { type Column, type Header, namedColumns, readHeader, valuesOf } from './csv-columns.ts';
import { type CsvSource, inspectCsv } from './csv-file.ts';
import type { ImportOptions, ImportPlan, ImportResult, ImportRun } from './csv-plan.ts';
import { type CsvRow, readCsv } from './csv-rows.ts';
import type { Context } from './context.ts';
import { authorize } from './operation.ts';
import { inTenant } from './tenancy.ts';

/**
 * Imports a file batch by batch, each committed by itself; memory does not grow with the file. The same file twice
 * makes nothing twice. The next batch is read while one is written.
 * @throws CsvFileError before anything is written, when the file can't be imported at all
 */
export async function importCsv<Input>(
  ctx: Context,
  plan: ImportPlan<Input>,
  source: CsvSource,
  options: ImportOptions = {},
): Promise<ImportResult> {
  authorize({ access: plan.access, liveOnly: true, dashboardOnly: true }, ctx);
  const shape = await inspectCsv(source);
  const rows = readCsv(source, shape);
  const header = readHeader(await titlesOf(rows), plan.columns, plan.needed, options.columns);
  const run: ImportRun = { dryRun: options.dryRun ?? false, made: new Set() };
  const writer = new BatchWriter(ctx, plan, run, header, options);
  options.onStart?.(shape.lines);
  let batch: RecordRows[] = [];
  let writing = Promise.resolve();
  const write = async () => {
    const read = writer.read(batch);
    batch = [];
    await writing;
    options.signal?.throwIfAborted();
    writing = inTenant(ctx.companyId, () => writer.write(read));
    // Awaited with the next batch; until then nobody minds that it fails.
    writing.catch(() => {});
  };
  for await (const record of grouped(rows, header, plan.group)) {
    if (batch.push(record) === plan.batch) await write();
  }
  await write();
  await writing;
  return writer.result;
}

/** How a file would be read: its titles, the column that each seems to be of, and its first rows. */
export interface CsvOutline {
  titles: string[];
  columns: (string | null)[];
  samples: string[][];
  /** All columns that there are. */
  known: string[];
}

const samplesShown = 3;

/** Reads the header of a file, and a few rows, before it is imported. @throws CsvFileError */
export async function outlineCsv(columns: readonly Column[], source: CsvSource): Promise<CsvOutline> {
  const rows = readCsv(source, await inspectCsv(source));
  const titles = await titlesOf(rows);
  const found = namedColumns(titles, columns);
  const samples: string[][] = [];
  for await (const row of rows) {
    samples.push(titles.map((_title, index) => (row.cells[index] ?? '').slice(0, 200)));
    if (samples.length === samplesShown) break;
  }
  return {
    titles: titles.map((title) => title.trim()),
    columns: titles.map((_title, index) => found.get(index)?.name ?? null),
    samples,
    known: columns.map(({ name }) => name),
  };
}

async function titlesOf(rows: AsyncGenerator<CsvRow>): Promise<readonly string[]> {
  const first = await rows.next();
  if (first.done) throw new CsvFileError('The file is empty.');
  if (first.value.broken) throw new CsvFileError(`The header can’t be read: ${first.value.broken}`);
  return first.value.cells;
}

async function* grouped(
  rows: AsyncIterable<CsvRow>,
  header: Header,
  group: ImportPlan<unknown>['group'],
): AsyncGenerator<RecordRows> {
  let open: { key: string; rows: RecordRows } | undefined;
  for await (const row of rows) {
    const key = row.broken ? undefined : group?.keyOf(valuesOf(row.cells, header));
    if (open && group && key === open.key && open.rows.length < group.rows) {
      open.rows.push(row);
      continue;
    }
    if (open) yield open.rows;
    open = undefined;
    if (key === undefined) yield [row];
    else open = { key, rows: [row] };
  }
  if (open) yield open.rows;
}
