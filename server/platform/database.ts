import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../../prisma/generated/client/client.ts';
import type { Log } from './log.ts';
import { PatientPool } from './pool.ts';
import { tenancy } from './tenancy.ts';
import { tellingConnections } from './transaction.ts';

/** Statements that take longer are given up, in milliseconds: nothing else guards against a server that hangs. */
const queryTimeout = 10_000;
const connectTimeout = 3_000;

export type Database = ReturnType<typeof createDatabase>;
export type Prisma = Database['prisma'];
/** What services query: the guarded client, or the transaction of the unit of work. */
export type Db = Parameters<Parameters<Prisma['$transaction']>[0]>[0];

/**
 * The one pool of connections and the tenant-guarded Prisma client over it.
 * @param size connections; 8 suit two cores
 */
export function createDatabase(url: string, log: Log, size = 8) {
  const pool = new PatientPool({
    connectionString: url,
    max: size,
    query_timeout: queryTimeout,
    connectionTimeoutMillis: connectTimeout,
    application_name: 'parlour',
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  // Only its code and text: the error carries the whole client, with the last statement in it.
  pool.on('error', ({ message, code }: Error & { code?: string }) => {
    if (!pool.ending) log.warn({ code, reason: message }, 'idle database connection lost');
  });
  const adapter = tellingConnections(new PrismaPg(pool, { statementNameGenerator: statementName }));
  const prisma = new PrismaClient({ adapter }).$extends(tenancy);
  return {
    pool,
    prisma,
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

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
