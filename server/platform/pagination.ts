import { Prisma } from '../../prisma/generated/client/client.ts';
import { limits } from '../../schema/common.ts';
import type { Context } from './context.ts';
import type { Position } from './cursor.ts';
import { readRows } from './rows.ts';

/** A page of rows, as services return it. */
export interface Page<Row> {
  rows: Row[];
  nextCursor: string | null;
  hasMore: boolean;
}

/** How a list is ordered: one column, then the id. Both are covered by one index that starts with the company. */
export interface Sort<Row> {
  name: string;
  column: string;
  /** SQL type that the cursor's text is cast to. */
  type: 'timestamptz' | 'text' | 'integer';
  direction: 'asc' | 'desc';
  valueOf(row: Row): Date | string;
}

/** By the time a record was made, the newest first. */
export const newestFirst: Sort<{ createdAt: Date }> = {
  name: 'created_at',
  column: 'created_at',
  type: 'timestamptz',
  direction: 'desc',
  valueOf: (row) => row.createdAt,
};

interface ListQuery<Row> {
  /** Name of the list: a cursor of one list is no cursor of another. */
  list: string;
  /** `select … from …` with the model's columns. */
  select: Prisma.Sql;
  /** Conditions, joined by AND; the company is added here. */
  where: Prisma.Sql[];
  /** What the cursor is bound to: the query as given, without limit and cursor. */
  filters: Record<string, unknown>;
  sort: Sort<Row>;
  limit: number | undefined;
  cursor: string | undefined;
  /** A text that is looked for. */
  sought?: Sought | undefined;
  /** Goes around the page's rows, to add what belongs to each without being asked for those that are skipped. */
  around?: (rows: Prisma.Sql) => Prisma.Sql;
}

/**
 * A condition on text, in two forms, because nobody knows how many rows meet it. What is common is met soon by walking in
 * the list's order; of what is not, an index finds all.
 */
interface Sought {
  /** `select … from` of `select`, up to the table, and the table. */
  columns: Prisma.Sql;
  table: string;
  walked: Prisma.Sql;
  /** Null where no index helps: then the walk goes on to the end. */
  indexed: Prisma.Sql | null;
}

/** How many rows are walked before the index is asked: about what that costs. */
const walkedRows = 1_000;

/**
 * The one keyset reader: compares (sort column, id) as a row, so a page costs the same at any depth,
 * and reads one row too many to know whether there is more.
 */
export async function readPage<Row extends { id: string }>(
  ctx: Context,
  list: ListQuery<Row>,
): Promise<Page<Row>> {
  const limit = list.limit ?? limits.page.default;
  const bound = boundOf(ctx, list);
  const where = [Prisma.sql`company_id = ${ctx.companyId}`, ...list.where];
  if (list.cursor !== undefined) {
    where.push(after(list.sort, ctx.app.cursors.decode(list.cursor, list.sort.name, bound)));
  }
  const direction = Prisma.raw(list.sort.direction);
  const column = Prisma.raw(list.sort.column);
  const order = Prisma.sql`ORDER BY ${column} ${direction}, id ${direction}`;
  const read = (select: Prisma.Sql, conditions: readonly Prisma.Sql[]) => {
    const page = Prisma.sql`
      ${select} WHERE ${Prisma.join(conditions, ' AND ')} ${order} LIMIT ${oneMoreThan(limit)}`;
    return readRows<Row>(ctx, list.around?.(page) ?? page);
  };
  const { sought } = list;
  let rows: Row[] = [];
  if (sought) {
    const first = Prisma.sql`${sought.columns} FROM (
      SELECT * FROM ${Prisma.raw(sought.table)} WHERE ${Prisma.join(where, ' AND ')}
      ${order} LIMIT ${Prisma.raw(String(walkedRows))}) AS walked`;
    rows = await read(first, [sought.walked]);
  }
  if (rows.length <= limit) {
    const found = sought ? [sought.indexed ?? sought.walked] : [];
    rows = await read(list.select, [...where, ...found]);
  }
  const hasMore = rows.length > limit;
  if (hasMore) rows.length = limit;
  const last = rows.at(-1);
  return {
    rows,
    hasMore,
    nextCursor:
      hasMore && last ? ctx.app.cursors.encode(positionOf(last, list.sort), list.sort.name, bound) : null,
  };
}

const usualLimits: ReadonlySet<number> = new Set([10, limits.page.default, 50, limits.page.max]);

/**
 * What stands behind `LIMIT` to read a page and to know whether there is more. Usual limits stand in the statement's
 * text: of one that is a parameter PostgreSQL assumes a tenth of the table, so that no plan looks good enough to be kept
 * and each execution plans anew.
 */
export function oneMoreThan(limit: number): Prisma.Sql {
  return usualLimits.has(limit) ? Prisma.raw(String(limit + 1)) : Prisma.sql`${limit + 1}`;
}

function after<Row>(sort: Sort<Row>, position: Position): Prisma.Sql {
  const column = Prisma.raw(sort.column);
  const comparison = Prisma.raw(sort.direction === 'asc' ? '>' : '<');
  const value = Prisma.sql`${position.value}::${Prisma.raw(sort.type)}`;
  return Prisma.sql`(${column}, id) ${comparison} (${value}, ${position.id})`;
}

function positionOf<Row extends { id: string }>(row: Row, sort: Sort<Row>): Position {
  const value = sort.valueOf(row);
  return { value: value instanceof Date ? value.toISOString() : value, id: row.id };
}

function boundOf<Row>(ctx: Context, list: ListQuery<Row>): string {
  const given = Object.entries(list.filters)
    .filter(
      ([name, value]) => value !== undefined && name !== 'limit' && name !== 'cursor' && name !== 'sort',
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([ctx.companyId, list.list, given]);
}

const listed = new WeakMap<object, Map<string, Prisma.Sql>>();

/** The model's columns for a raw query, named as Prisma names its fields. Written out once for each model. */
export function columns(fields: Record<string, string>, alias = ''): Prisma.Sql {
  const known = listed.get(fields) ?? new Map<string, Prisma.Sql>();
  listed.set(fields, known);
  const sql = known.get(alias) ?? columnList(fields, alias);
  known.set(alias, sql);
  return sql;
}

function columnList(fields: Record<string, string>, alias: string): Prisma.Sql {
  const prefix = alias === '' ? '' : `${alias}.`;
  const all = Object.values(fields).map((field) => `${prefix}"${snakeCase(field)}" AS "${field}"`);
  return Prisma.raw(all.join(', '));
}

/**
 * `= id`, or `= ANY (ids)` for another number of them. Of a list that is a parameter PostgreSQL assumes ten entries, so that
 * for one no plan looks good enough to be kept and each execution plans anew.
 */
export function among(ids: readonly string[]): Prisma.Sql {
  return ids.length === 1 ? Prisma.sql`= ${ids[0]}` : Prisma.sql`= ANY(${[...ids]})`;
}

/** INSERT of one row, whose fields are named as Prisma names them; those left out have their column's default. */
export function insertionOf(table: string, row: object): Prisma.Sql {
  const given = Object.entries(row).filter(([, value]) => value !== undefined);
  const names = given.map(([field]) => `"${snakeCase(field)}"`).join(', ');
  const values = Prisma.join(given.map(([, value]) => Prisma.sql`${value}`));
  return Prisma.sql`INSERT INTO ${Prisma.raw(`${table} (${names})`)} VALUES (${values})`;
}

/** `lastMessageAt` is the column `last_message_at`. */
export function snakeCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * Condition that `text` stands anywhere in a folded column (no case, no accents); `%`, `_` and `\` are text.
 * Escaped after folding, because folding turns full-width signs into these.
 */
export function containsText(column: string, text: string): Prisma.Sql {
  return Prisma.sql`${Prisma.raw(column)} LIKE ${foldedPattern(text)}`;
}

/** A text as itself in a pattern, where `_` and `%` stand for others. */
export function literally(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

/** The pattern of `containsText`. */
export function foldedPattern(text: string): Prisma.Sql {
  return Prisma.sql`'%' || regexp_replace(fold_text(${text}), '([\\\\%_])', '\\\\\\1', 'g') || '%'`;
}

/** How many rows of the company meet all conditions. */
export async function countRows(ctx: Context, table: string, where: Prisma.Sql[]): Promise<number> {
  const all = [Prisma.sql`company_id = ${ctx.companyId}`, ...where];
  const [row] = await ctx.db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM ${Prisma.raw(table)} WHERE ${Prisma.join(all, ' AND ')}`;
  return row?.count ?? 0;
}
