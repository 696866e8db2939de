import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** Rows are sent in pieces of about this many characters. */
const pieceSize = 262_144;

/** A table as COPY fills it: each column with the field it is read from. */
export interface CopyTable {
  name: string;
  fields: readonly string[];
}

/** Column names are the snake_case of the fields, as in all of the schema. */
export function copyTable(name: string, fields: string): CopyTable {
  return { name, fields: fields.split(' ') };
}

/** Sends rows with COPY, the fastest way in; constraints and keys are checked as with INSERT. */
export async function copyRows(client: ClientBase, table: CopyTable, rows: readonly object[]): Promise<void> {
  const load = new CopyLoad(table);
  load.add(rows);
  await load.send(client);
}

/** Rows of one table on their way: made text at once, so that the rows themselves need not be kept. */
export class CopyLoad {
  readonly #table: CopyTable;
  readonly #pieces: Buffer[] = [];
  #text = '';

  constructor(table: CopyTable) {
    this.#table = table;
  }

  add(rows: readonly object[]): void {
    for (const row of rows as readonly Record<string, unknown>[]) {
      let line = '';
      for (const field of this.#table.fields) line += `${line === '' ? '' : '\t'}${valueText(row[field])}`;
      this.#text += `${line}\n`;
    }
    if (this.#text.length >= pieceSize) this.#cut();
  }

  /** In a transaction. COPY can't fill a table under row-level security, so the rows go through a temporary one. */
  async send(client: ClientBase): Promise<void> {
    if (this.#text !== '') this.#cut();
    if (this.#pieces.length === 0) return;
    const { name, fields } = this.#table;
    const columns = fields.map(columnOf).join(', ');
    const { rows } = await client.query<{ walled: boolean }>('SELECT row_security_active($1) AS walled', [
      name,
    ]);
    const walled = rows[0]?.walled ?? false;
    if (walled)
      await client.query(
        `CREATE TEMPORARY TABLE IF NOT EXISTS load_${name} ON COMMIT DELETE ROWS AS SELECT ${columns} FROM ${name} LIMIT 0`,
      );
    const sink = client.query(copyFrom(`COPY ${walled ? 'load_' : ''}${name} (${columns}) FROM STDIN`));
    await pipeline(Readable.from(this.#pieces), sink);
    if (walled) await client.query(`INSERT INTO ${name} (${columns}) SELECT ${columns} FROM load_${name}`);
  }

  #cut(): void {
    this.#pieces.push(Buffer.from(this.#text));
    this.#text = '';
  }
}

/** The text form of COPY. Arrays hold ids only, so they need no quoting. */
function valueText(value: unknown): string {
  if (value === null || value === undefined) return '\\N';
  switch (typeof value) {
    case 'string':
      return escaped(value);
    case 'boolean':
      return value ? 't' : 'f';
    case 'object':
      if (value instanceof Date) return timeText(value.getTime());
      if (Array.isArray(value)) return `{${value.join(',')}}`;
      return escaped(JSON.stringify(value));
    case 'number':
    case 'bigint':
      return value.toString();
    default:
      throw new TypeError(`COPY can't carry a ${typeof value}.`);
  }
}

const dayLength = 86_400_000;
let lastDay = Number.NaN;
let lastDate = '';

/** A time as PostgreSQL reads it. `toISOString` formats the date anew each time: a tenth of a whole load. */
function timeText(time: number): string {
  const day = Math.floor(time / dayLength);
  if (day !== lastDay) {
    lastDay = day;
    lastDate = new Date(day * dayLength).toISOString().slice(0, 11);
  }
  const ms = time - day * dayLength;
  const minutes = Math.floor(ms / 60_000);
  const rest = ms - minutes * 60_000;
  return `${lastDate}${Math.floor(minutes / 60)}:${minutes % 60}:${rest / 1_000}Z`;
}

const special = /[\\\t\n\r]/;

function escaped(text: string): string {
  if (!special.test(text)) return text;
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');
}

function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
