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

interface Options {
  dryRun: boolean;
  signal: AbortSignal;
  /** How many rows are done, of about how many. */
  onProgress(done: number, of: number): void;
}

interface Line {
  lines?: number;
  rows?: number;
  rejected?: string;
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
  { dryRun, signal, onProgress }: Options,
): Promise<{ result: ImportResult; rejected: string }> {
  const body = new FormData();
  body.append('file', file);
  const response = await fetch(`/csv/${resource}?dry_run=${dryRun}`, {
    method: 'POST',
    body,
    signal,
    headers: { 'X-Service-Mode': currentMode() },
  }).catch(() => {
    throw new Failure(null);
  });
  if (!response.ok) throw await failureIn(response);
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
