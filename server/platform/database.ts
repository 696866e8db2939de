import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../../prisma/generated/client/client.ts';
import type { Log } from './log.ts';
import { PatientPool } from './pool.ts';
import { statementName } from './statement.ts';
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
