import { stringify } from 'csv-stringify/sync';

/**
 * Limits of a file to import: bytes, lines behind the header, and characters of one row. A file over the first two is
 * refused before anything is written; a row over the last is rejected alone.
 */
export const csvLimits = { bytes: 200 * 1024 * 1024, lines: 500_000, row: 65_536 } as const;

/** A file that can't be imported at all: not UTF-8, too large, or without the columns it needs. */
export class CsvFileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CsvFileError';
  }
}

export const byteOrderMark = '\uFEFF';

/** What spreadsheets take for a formula at the start of a cell, full-width signs included, behind any quotes of ours. */
const formula = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** A cell that no spreadsheet runs as a formula: `'` goes before `= + - @`, tab and carriage return. */
export function guardCell(value: string): string {
  return formula.test(value) ? `'${value}` : value;
}

/** Undoes `guardCell`, so that what was exported comes back as it was. */
export function unguardCell(value: string): string {
  return value.startsWith("'") && formula.test(value) ? value.slice(1) : value;
}

/** What a cell can hold. null is an empty cell. */
export type Cell = string | number | boolean | null;

/** Rows as CSV: commas, CR LF, quotes where needed, formulas made harmless. Ends with a line break unless empty. */
export function csvText(rows: readonly (readonly Cell[])[]): string {
  const cells = rows.map((row) => row.map((cell) => (cell === null ? '' : guardCell(String(cell)))));
  // By itself it leaves a lone CR or LF without quotes.
  return stringify(cells, { record_delimiter: 'windows', quoted_match: /[\r\n]/ });
}
