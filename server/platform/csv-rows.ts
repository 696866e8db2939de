import { parse } from 'csv-parse/sync';
import { csvLimits } from './csv.ts';
import type { CsvShape, CsvSource } from './csv-file.ts';

/** A row of the file as it stands there, with the number of its first line (the header is line 1). */
export interface CsvRow {
  line: number;
  cells: string[];
  /** Why it can't be read as a row; `cells` then holds its text. */
  broken?: string;
}

interface Line {
  /** With its line break. */
  text: string;
  /** Over the limit: the rest of it is not kept. */
  long: boolean;
}

/** Rows handed to the parser at a time. */
const portion = 200;
const unclosed = `A quote is not closed, or the row is over ${csvLimits.row} characters.`;

/**
 * The rows of a file, in order, without blank lines. A row that is broken costs itself only: reading goes on with the
 * line behind its first. Left to itself the parser would lose the good rows after a broken quote.
 * Memory: some hundred rows.
 */
export async function* readCsv(source: CsvSource, shape: CsvShape): AsyncGenerator<CsvRow> {
  const waiting: Line[] = [];
  let line = 1;
  const take = (count: number): Line[] => {
    line += count;
    return waiting.splice(0, count);
  };
  /** Takes whole rows from the lines that wait; at the end of the file those that never end, too. */
  const rows = function* (atEnd: boolean): Generator<CsvRow> {
    let whole: Whole[] = [];
    while (waiting.length > 0) {
      const count = linesOfRow(waiting);
      if (count === null && !atEnd) break;
      const text = waiting
        .slice(0, count ?? 0)
        .map((part) => part.text)
        .join('');
      // What several lines make up may be a stray quote in the first: then the others are rows of their own.
      const problem = !count ? unclosed : count > 1 ? problemOf(text, shape) : null;
      if (problem !== null || whole.length === portion) {
        yield* parsed(whole, shape);
        whole = [];
      }
      if (problem !== null) yield broken(line, take(1), problem);
      else {
        if (text.trim() !== '') whole.push({ line, text });
        take(count ?? 1);
      }
    }
    yield* parsed(whole, shape);
  };
  for await (const lines of readLines(source, shape.lineBreak)) {
    for (const next of lines) waiting.push(next);
    yield* rows(false);
  }
  yield* rows(true);
}

interface Whole {
  line: number;
  text: string;
}

/** How many lines the first row takes: until its quotes are even. null when it does not end yet, 0 when it never may. */
function linesOfRow(lines: readonly Line[]): number | null {
  let quotes = 0;
  let length = 0;
  for (const [index, { text, long }] of lines.entries()) {
    length += text.length;
    if (long || length > csvLimits.row) return 0;
    quotes += quotesIn(text);
    if (quotes % 2 === 0) return index + 1;
  }
  return null;
}

function quotesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) count++;
  return count;
}

function* parsed(whole: readonly Whole[], shape: CsvShape): Generator<CsvRow> {
  if (whole.length === 0) return;
  const all = records(whole.map(({ text }) => text).join(''), shape);
  for (const [index, { line, text }] of whole.entries()) {
    const cells = all.length === whole.length ? all[index] : cellsOf(text, shape);
    if (!cells) yield { line, cells: [text.trim()], broken: problemOf(text, shape) ?? unclosed };
    else if (cells.some((cell) => cell !== '')) yield { line, cells };
  }
}

function cellsOf(text: string, shape: CsvShape): string[] | undefined {
  return records(text, shape)[0];
}

/** Nothing when there is anything wrong with the text. */
function records(text: string, shape: CsvShape): string[][] {
  try {
    return parseRecords(text, shape);
  } catch {
    return [];
  }
}

function parseRecords(text: string, { delimiter, lineBreak }: CsvShape): string[][] {
  return parse(text, {
    delimiter,
    record_delimiter: lineBreak === '\n' ? ['\r\n', '\n'] : ['\r'],
    relax_column_count: true,
  });
}

/** What is wrong with the text of a row, without the parser's place of it, which is not the place in the file. */
function problemOf(text: string, shape: CsvShape): string | null {
  try {
    parseRecords(text, shape);
    return null;
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    if (code === 'CSV_INVALID_CLOSING_QUOTE') return 'There is text after a closing quote.';
    if (code === 'INVALID_OPENING_QUOTE') return 'There is a quote within a cell that has none around it.';
    return unclosed;
  }
}

function broken(line: number, [first]: readonly Line[], reason: string): CsvRow {
  return { line, cells: [(first?.text ?? '').trim().slice(0, 1000)], broken: reason };
}

/** The lines of each chunk, with their breaks; of a line without end only as much as can be a row is kept. */
async function* readLines(source: CsvSource, lineBreak: string): AsyncGenerator<Line[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let long = false;
  const cut = (text: string, lines: Line[]) => {
    let from = 0;
    for (let at = text.indexOf(lineBreak); at !== -1; at = text.indexOf(lineBreak, from)) {
      lines.push({ text: rest + text.slice(from, at + 1), long });
      rest = '';
      long = false;
      from = at + 1;
    }
    if (rest.length <= csvLimits.row) rest += text.slice(from);
    long ||= rest.length > csvLimits.row;
  };
  for await (const chunk of source.read()) {
    const lines: Line[] = [];
    cut(decoder.decode(chunk, { stream: true }), lines);
    yield lines;
  }
  const lines: Line[] = [];
  cut(decoder.decode(), lines);
  if (rest !== '') lines.push({ text: rest, long });
  yield lines;
}
