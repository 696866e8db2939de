import { type Cell, csvText, unguardCell } from './csv.ts';
import { type Header, valuesOf } from './csv-columns.ts';
import {
  type ImportOptions,
  type ImportPlan,
  type ImportProblem,
  type ImportResult,
  type ImportRow,
  type ImportRun,
  refusalOf,
} from './csv-plan.ts';
import type { CsvRow } from './csv-rows.ts';
import type { Context } from './context.ts';
import { invalid } from './errors.ts';

/** The rows of one record. */
export type RecordRows = [CsvRow, ...CsvRow[]];

/** A record as it was read: what it means, or why it was refused. */
type Reading<Input> = { rows: RecordRows; input: Input } | { rows: RecordRows; problem: ImportProblem };

/** What stands behind the columns of a rejected row; a file that is imported again may have them. */
const rejectedColumns = ['rejected_line', 'rejected_code', 'rejected_reason'];
const errorsShown = 20;

/** Reads and writes batches of one import, counts what became of each record, and hands on the rows that were refused. */
export class BatchWriter<Input> {
  readonly result: ImportResult;
  readonly #ctx: Context;
  readonly #plan: ImportPlan<Input>;
  readonly #run: ImportRun;
  readonly #header: Header;
  readonly #options: ImportOptions;
  #headerTold = false;

  constructor(ctx: Context, plan: ImportPlan<Input>, run: ImportRun, header: Header, options: ImportOptions) {
    this.#ctx = ctx;
    this.#plan = plan;
    this.#run = run;
    this.#header = header;
    this.#options = options;
    this.result = {
      dry_run: run.dryRun,
      rows: 0,
      created: 0,
      updated: 0,
      skipped: 0,
      failed: 0,
      ignored_columns: header.ignored.filter((name) => !rejectedColumns.includes(name)),
      errors: [],
    };
  }

  read(records: RecordRows[]): Reading<Input>[] {
    return records.map((rows) => {
      try {
        const [first, ...rest] = rows;
        return { rows, input: this.#plan.read([this.#row(first), ...rest.map((row) => this.#row(row))]) };
      } catch (error) {
        return { rows, problem: { line: rows[0].line, ...refusalOf(error) } };
      }
    });
  }

  async write(batch: Reading<Input>[]): Promise<void> {
    const inputs = batch.flatMap((record) => ('input' in record ? [record.input] : []));
    const outcomes = inputs.length > 0 ? await this.#plan.write(this.#ctx, this.#run, inputs) : [];
    const refused: Cell[][] = [];
    let next = 0;
    for (const record of batch) {
      const { rows } = record;
      const outcome = 'problem' in record ? record.problem : outcomes[next++];
      this.result.rows += rows.length;
      if (outcome === undefined) throw new Error('A record of the import has no outcome.');
      if (typeof outcome === 'string') this.result[outcome]++;
      else refused.push(...this.#refuse(rows, { line: rows[0].line, ...outcome }));
    }
    if (refused.length > 0) await this.#reject(refused);
    this.#options.onProgress?.(batch.reduce((sum, { rows }) => sum + rows.length, 0));
  }

  #row({ line, cells, broken }: CsvRow): ImportRow {
    const width = this.#header.cells.length;
    if (broken !== undefined) throw invalid({ param: null, code: 'format', message: broken });
    // Spreadsheets leave out empty cells at the end; a cell too many means that something is not where it should be.
    if (cells.slice(width).some((cell) => cell !== ''))
      throw invalid({
        param: null,
        code: 'format',
        message: `Has ${cells.length} cells where the header has ${width}.`,
      });
    return { line, values: valuesOf(cells, this.#header) };
  }

  #refuse(rows: RecordRows, problem: ImportProblem): Cell[][] {
    const { result } = this;
    result.failed++;
    if (result.errors.length < errorsShown) result.errors.push(problem);
    const about = problem.param ? `${problem.param}: ${problem.message}` : problem.message;
    return rows.map(({ line, cells }) => {
      const reason =
        line === problem.line || rows.length === 1
          ? about
          : `Line ${problem.line} of the same record: ${about}`;
      return [...this.#kept(cells), line, problem.code, reason];
    });
  }

  async #reject(rows: Cell[][]): Promise<void> {
    if (!this.#options.rejected) return;
    const header = [...this.#kept(this.#header.cells), ...rejectedColumns];
    await this.#options.rejected(csvText(this.#headerTold ? rows : [header, ...rows]));
    this.#headerTold = true;
  }

  /** The cells as they were, without the columns of an earlier rejection; guarded anew when they are written. */
  #kept(cells: readonly string[]): string[] {
    return this.#header.cells.flatMap((name, index) =>
      rejectedColumns.includes(name.trim()) ? [] : [unguardCell(cells[index] ?? '')],
    );
  }
}
