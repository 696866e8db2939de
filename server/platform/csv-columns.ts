import { CsvFileError, unguardCell } from './csv.ts';

/**
 * A column that a resource is imported from and exported to.
 * `text` is kept as it stands, `word` without blanks around it, `choice` in lower case too, `integer` and `flag` as what
 * they say where they say it. Other names that the header may have for it go without case, blanks and signs.
 */
export interface Column {
  name: string;
  kind: 'text' | 'word' | 'choice' | 'integer' | 'flag';
  aliases?: readonly string[];
}

/** Where each column stands in the file, and the names in the header that nothing is read from. */
export interface Header {
  cells: readonly string[];
  columns: ReadonlyMap<number, Column>;
  ignored: string[];
}

/**
 * Finds the columns by the header's names, the columns' own before others they go by, or takes those that were chosen.
 * @param needed at least one column of each of these sets must be there
 * @throws CsvFileError
 */
export function readHeader(
  cells: readonly string[],
  columns: readonly Column[],
  needed: readonly (readonly string[])[],
  chosen?: readonly (string | null)[],
): Header {
  const found = chosen ? chosenColumns(cells, columns, chosen) : namedColumns(cells, columns);
  const there = new Set([...found.values()].map(({ name }) => name));
  const missing = needed.find((set) => !set.some((name) => there.has(name)));
  if (missing)
    throw new CsvFileError(
      `The header needs a column ${missing.join(' or ')}; it has ${cells
        .map((cell) => cell.trim() || '(none)')
        .join(', ')
        .slice(0, 300)}.`,
    );
  const ignored = cells.filter((cell, index) => !found.has(index) && cell.trim() !== '');
  return { cells, columns: found, ignored: ignored.map((cell) => cell.trim()) };
}

/** The columns that the header names, by their place. */
export function namedColumns(cells: readonly string[], columns: readonly Column[]): Map<number, Column> {
  const names = cells.map((cell) => plain(unguardCell(cell)));
  const found = new Map<number, Column>();
  for (const column of columns) {
    const spellings = [column.name, ...(column.aliases ?? [])].map(plain);
    const at = spellings
      .map((name) => names.indexOf(name))
      .find((index) => index !== -1 && !found.has(index));
    if (at !== undefined) found.set(at, column);
  }
  return found;
}

function chosenColumns(
  cells: readonly string[],
  columns: readonly Column[],
  chosen: readonly (string | null)[],
): Map<number, Column> {
  const found = new Map<number, Column>();
  for (const [index, name] of chosen.entries()) {
    if (name === null) continue;
    const column = columns.find((known) => known.name === name);
    if (!column || index >= cells.length) throw new CsvFileError(`There is no column ${name.slice(0, 64)}.`);
    if ([...found.values()].includes(column))
      throw new CsvFileError(`The column ${name} is read from two columns of the file.`);
    found.set(index, column);
  }
  return found;
}

function plain(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The values of a row by column. Empty cells are left out: they say nothing. */
export function valuesOf(cells: readonly string[], { columns }: Header): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [index, { name, kind }] of columns) {
    const value = valueOf(unguardCell(cells[index] ?? ''), kind);
    if (value !== '') values[name] = value;
  }
  return values;
}

const flags: Readonly<Record<string, boolean>> = {
  true: true,
  1: true,
  yes: true,
  false: false,
  0: false,
  no: false,
};

/** What has the wrong form stays text, for the schema to refuse. */
function valueOf(cell: string, kind: Column['kind']): string | number | boolean {
  if (kind === 'text') return cell;
  const word = cell.trim();
  switch (kind) {
    case 'choice':
      return word.toLowerCase();
    case 'flag':
      return flags[word.toLowerCase()] ?? word;
    case 'integer':
      return /^[+-]?\d{1,15}$/.test(word) ? Number(word) : word;
    default:
      return word;
  }
}
