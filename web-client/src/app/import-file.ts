import { Failure, failureIn } from './failure.ts';
import { currentMode } from './mode.ts';

/** What an import counts; see `ImportResult` of the server. */
export interface ImportResult {
  dry_run: boolean;
  rows: number;
  created: number;
  updated: number;
  skipped: number;
  failed: number;
  ignored_columns: string[];
  errors: { line: number; code: string; param: string | null; message: string }[];
}

export type CsvResource = 'contacts' | 'products' | 'orders';

/** How the server would read a file; see `CsvOutline` of the server. */
export interface CsvOutline {
  titles: string[];
  columns: (string | null)[];
  samples: string[][];
  known: string[];
}

interface Options {
  dryRun: boolean;
  /** The column that each cell of a row is of; null for what is not read. */
  columns: readonly (string | null)[];
  signal: AbortSignal;
  /** How many rows are done, of about how many. */
  onProgress(done: number, of: number): void;
}

interface Line {
  lines?: number;
  rows?: number;
  rejected?: string;
  outline?: CsvOutline;
  result?: ImportResult;
  error?: ConstructorParameters<typeof Failure>[0];
}

/**
 * Sends a file and follows how it is imported. Aborting ends it between two batches: what is done stays.
 * @returns the counts, and the file of the rows that were refused
 * @throws Failure
 */
export async function importFile(
  resource: CsvResource,
  file: File,
  { dryRun, columns, signal, onProgress }: Options,
): Promise<{ result: ImportResult; rejected: string }> {
  const words = new URLSearchParams({
    dry_run: String(dryRun),
    columns: columns.map((name) => name ?? '').join(','),
  });
  const response = await send(`/csv/${resource}?${words.toString()}`, file, signal);
  const rejected: string[] = [];
  let result: ImportResult | undefined;
  let [done, of] = [0, 0];
  for await (const line of linesOf(response)) {
    if (line.error) throw new Failure(line.error);
    if (line.lines !== undefined) of = line.lines;
    if (line.rows !== undefined) done += line.rows;
    if (line.rejected !== undefined) rejected.push(line.rejected);
    result ??= line.result;
    onProgress(done, of);
  }
  if (!result) throw new Failure(null);
  return { result, rejected: rejected.join('') };
}

/** Asks how a file would be read, before it is. @throws Failure */
export async function outlineFile(
  resource: CsvResource,
  file: File,
  signal: AbortSignal,
): Promise<CsvOutline> {
  const response = await send(`/csv/${resource}?outline=true`, file, signal);
  for await (const { outline } of linesOf(response)) if (outline) return outline;
  throw new Failure(null);
}

async function send(path: string, file: File, signal: AbortSignal): Promise<Response> {
  const body = new FormData();
  body.append('file', file);
  const headers = { 'X-Service-Mode': currentMode() };
  const response = await fetch(path, { method: 'POST', body, signal, headers }).catch(() => {
    throw new Failure(null);
  });
  if (!response.ok) throw await failureIn(response);
  return response;
}

async function* linesOf(response: Response): AsyncGenerator<Line> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const chunk = await reader?.read().catch(() => {
      throw new Failure(null);
    });
    if (!chunk || chunk.done) break;
    const lines = (rest + chunk.value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as Line;
  }
}
