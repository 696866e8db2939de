import pg from 'pg';
import { Prisma } from '../../prisma/generated/client/client.ts';
import type { Context } from './context.ts';
import { statementName } from './database.ts';

const { builtins } = pg.types;
type TypeId = Parameters<pg.CustomTypesConfig['getTypeParser']>[0];

/** As Prisma gives them: 64-bit integers as bigint, numbers of any length as Decimal, dates at midnight UTC. */
const parsers: Record<number, (text: string) => unknown> = {
  [builtins.INT8]: BigInt,
  [builtins.NUMERIC]: (text) => new Prisma.Decimal(text),
  [builtins.DATE]: (text) => new Date(text),
};

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: TypeId, format?: string) =>
    (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format as 'text'),
};

/**
 * Rows of a query in SQL, with the values that `$queryRaw` gives. Outside of a transaction it goes to the pool past
 * Prisma, whose way with raw rows costs three times as much as the query itself; inside of one, to its connection.
 * Like `$queryRaw` it is not guarded by the tenancy: the query names the company.
 */
export async function readRows<Row>(
  { app, db, work }: Pick<Context, 'app' | 'db' | 'work'>,
  query: Prisma.Sql,
): Promise<Row[]> {
  if (work) return db.$queryRaw<Row[]>(query);
  return (await runSql<Row>(app.pool, query)).rows;
}

/**
 * Runs a statement, prepared once a connection, with the values that Prisma gives.
 * @param within what its name begins with, where it is planned otherwise than elsewhere
 */
export function runSql<Row>(
  connection: Pick<pg.Pool, 'query'>,
  { text, values }: Pick<Prisma.Sql, 'text' | 'values'>,
  within = '',
): Promise<pg.QueryResult<Row & pg.QueryResultRow>> {
  const name = statementName({ sql: text });
  return connection.query<Row & pg.QueryResultRow>({
    name: name === '' ? '' : within + name,
    text,
    values,
    types,
  });
}
