import type { Prisma } from '../../prisma/generated/client/client.ts';
import type { Context } from './context.ts';
import { runSql } from './statement.ts';

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
