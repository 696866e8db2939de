import { createHash } from 'node:crypto';
import pg from 'pg';
import { Prisma } from '../../prisma/generated/client/client.ts';

/** Statements that get a name; the rest, such as lists of varying length, are sent without one. */
const maximumNames = 500;
const manyParameters = /\$33\b/;
const names = new Map<string, string>();

/** Without names PostgreSQL plans every query anew. A text has one name, so it is prepared once a connection. */
export function statementName({ sql }: { sql: string }): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  if (names.size >= maximumNames || manyParameters.test(sql)) return '';
  const name = createHash('sha1').update(sql).digest('base64url');
  names.set(sql, name);
  return name;
}

const { builtins } = pg.types;
type TypeId = Parameters<pg.CustomTypesConfig['getTypeParser']>[0];

/** As Prisma gives them: 64-bit integers as bigint, numbers of any length as Decimal, dates at midnight UTC. */
const parsers: Record<number, (text: string) => unknown> = {
  [builtins.INT8]: BigInt,
  [builtins.NUMERIC]: (text) => new Prisma.Decimal(text),
  [builtins.DATE]: (text) => new Date(text),
  [builtins.TIMESTAMPTZ]: momentOf,
};

const { getTypeParser } = pg.types;

/** As pg reads it. What PostgreSQL writes while its time zone is UTC has but to be put as ISO 8601, a tenth of pg's work. */
function momentOf(text: string): unknown {
  if (!text.endsWith('+00') || text[4] !== '-') return getTypeParser(builtins.TIMESTAMPTZ)(text);
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
}

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: TypeId, format?: string) =>
    (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format as 'text'),
};

/**
 * A statement that is prepared once a connection, with the values that Prisma gives.
 * @param within what its name begins with, where it is planned otherwise than elsewhere
 */
export function namedSql({ text, values }: Pick<Prisma.Sql, 'text' | 'values'>, within = ''): pg.QueryConfig {
  const name = statementName({ sql: text });
  return { name: name === '' ? '' : within + name, text, values, types };
}

/** Runs a statement as {@link namedSql} has it. */
export function runSql<Row>(
  connection: Pick<pg.Pool, 'query'>,
  sql: Pick<Prisma.Sql, 'text' | 'values'>,
  within = '',
): Promise<pg.QueryResult<Row & pg.QueryResultRow>> {
  return connection.query<Row & pg.QueryResultRow>(namedSql(sql, within));
}
