import { isUtf8 } from 'node:buffer';
import { csvLimits, CsvFileError } from './csv.ts';

/** A file that can be read twice: once to see that it is sound, once to import it. */
export interface CsvSource {
  read(): AsyncIterable<Uint8Array>;
}

/** What the first reading found out. */
export interface CsvShape {
  /** Comma, semicolon or tab: the one that the header has most of. */
  delimiter: ',' | ';' | '\t';
  /** LF (with or without CR before it), or CR alone. */
  lineBreak: '\n' | '\r';
  /** Lines behind the header; as many rows, unless cells have line breaks. */
  lines: number;
}

/**
 * Reads the whole file to see that it is UTF-8 and within the limits, so that a file which is not changes nothing.
 * @throws CsvFileError
 */
export async function inspectCsv(source: CsvSource): Promise<CsvShape> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let head = '';
  let bytes = 0;
  let feeds = 0;
  let returns = 0;
  let open = false;
  const look = (text: string) => {
    if (head.length < csvLimits.row) head += text;
    feeds += occurrences(text, '\n');
    returns += occurrences(text, '\r');
    if (text !== '') open = !/[\r\n]$/.test(text);
  };
  for await (const chunk of source.read()) {
    if (bytes === 0) refuseUtf16(chunk);
    bytes += chunk.length;
    if (bytes > csvLimits.bytes)
      throw new CsvFileError(`The file is over ${csvLimits.bytes / 1024 / 1024} MB; split it.`);
    try {
      look(decoder.decode(chunk, { stream: true }));
    } catch {
      const line = Math.max(feeds, returns) + 1 + linesBeforeFault(chunk);
      throw new CsvFileError(`The file is not UTF-8 (line ${line}); save it as “CSV UTF-8”.`);
    }
  }
  try {
    look(decoder.decode());
  } catch {
    throw new CsvFileError('The file is not UTF-8 (its last line); save it as “CSV UTF-8”.');
  }
  const lineBreak = feeds > 0 || returns === 0 ? '\n' : '\r';
  const lines = (feeds || returns) + (open ? 1 : 0) - 1;
  if (lines < 0) throw new CsvFileError('The file is empty.');
  if (lines > csvLimits.lines)
    throw new CsvFileError(`The file has ${lines} lines, over ${csvLimits.lines}; split it.`);
  return { delimiter: sniff(head.trimStart().split(lineBreak, 1)[0] ?? ''), lineBreak, lines };
}

function refuseUtf16([first, second]: Uint8Array): void {
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new CsvFileError('The file is UTF-16; save it as “CSV UTF-8”.');
}

/** The first line that is no UTF-8 by itself; a chunk may begin within a character, which is no fault of it. */
function linesBeforeFault(chunk: Uint8Array): number {
  let lines = 0;
  for (let from = 0; from < chunk.length; lines++) {
    const at = chunk.indexOf(10, from);
    const end = at === -1 ? chunk.length : at;
    let begin = from;
    if (from === 0) while (begin < 3 && ((chunk[begin] ?? 0) & 0xc0) === 0x80) begin++;
    if (!isUtf8(chunk.subarray(begin, end))) return lines;
    from = end + 1;
  }
  return Math.max(lines - 1, 0);
}

function occurrences(text: string, sign: string): number {
  let count = 0;
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) count++;
  return count;
}

/** Counted outside of quotes, because names of columns may have commas. */
function sniff(header: string): CsvShape['delimiter'] {
  const bare = header.replaceAll(/"[^"]*"/g, '');
  const counts = ([',', ';', '\t'] as const).map((sign) => ({ sign, count: occurrences(bare, sign) }));
  return counts.reduce(
    (best, next) => (next.count > best.count ? next : best),
    counts[0] ?? { sign: ',', count: 0 },
  ).sign;
}
