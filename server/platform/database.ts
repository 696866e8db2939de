import { PrismaClient } from '../../prisma/generated/client/client.ts';
import type { Log } from './log.ts';
import { PatientPool, type pooled } from './pool.ts';
import { Pulse } from './pulse.ts';
import { tenancy } from './tenancy.ts';
import { JoiningPg } from './transaction.ts';
import { Wall } from './wall.ts';

/** Statements that take longer are given up, in milliseconds. A server that hangs is noticed earlier, by its pulse. */
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
export function createDatabase(where: ReturnType<typeof pooled>, log: Log, size = 8) {
  const pool = new PatientPool({
    ...where,
    max: size,
    query_timeout: queryTimeout,
    connectionTimeoutMillis: connectTimeout,
    application_name: 'parlour',
    // What is asked without waiting for an answer in between goes out in one round trip; PostgreSQL answers in order.
    pipeline: true,
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  // Only its code and text: the error carries the whole client, with the last statement in it.
  pool.on('error', ({ message, code }: Error & { code?: string }) => {
    if (!pool.ending) log.warn({ code, reason: message }, 'idle database connection lost');
  });
  const pulse = new Pulse(where.connectionString, pool, log);
  const wall = new Wall();
  const prisma = new PrismaClient({ adapter: new JoiningPg(pool) }).$extends(tenancy);
  return {
    pool,
    prisma,
    wall,
    async close() {
      pulse.stop();
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
