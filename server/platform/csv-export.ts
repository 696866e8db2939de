import { byteOrderMark, type Cell, csvText } from './csv.ts';

export interface ExportOptions {
  /** Begins with the mark that spreadsheets know UTF-8 by. */
  byteOrderMark?: boolean;
  /** Told how many more records were written, in how many rows. */
  onProgress?: (records: number, rows: number) => void;
}

interface ExportPage<Row> {
  rows: Row[];
  nextCursor: string | null;
}

/** Records per page: the most that a list gives. */
export const exportPage = 100;

/**
 * A list as CSV, page by page through its keyset, so that memory stays the same for any number of records and each
 * is there once, whatever is written meanwhile.
 * @param rowsOf the lines of a page of records
 */
export async function* exportCsv<Row>(
  names: readonly string[],
  page: (cursor: string | undefined) => Promise<ExportPage<Row>>,
  rowsOf: (rows: Row[]) => Cell[][] | Promise<Cell[][]>,
  options: ExportOptions = {},
): AsyncGenerator<string> {
  // The first page comes first: a filter that is refused writes nothing.
  let { rows, nextCursor } = await page(undefined);
  yield (options.byteOrderMark ? byteOrderMark : '') + csvText([names]);
  for (;;) {
    const lines = await rowsOf(rows);
    yield csvText(lines);
    options.onProgress?.(rows.length, lines.length);
    if (nextCursor === null) return;
    ({ rows, nextCursor } = await page(nextCursor));
  }
}
