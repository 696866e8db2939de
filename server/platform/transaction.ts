import { AsyncLocalStorage } from 'node:async_hooks';
import type { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { Prisma } from '../../prisma/generated/client/client.ts';
import type { Db, Prisma as Client } from './database.ts';
import { runSql } from './statement.ts';

/** The connection of a transaction while it is open. */
interface Place {
  client: pg.PoolClient | null;
}

const opening = new AsyncLocalStorage<Place>();

/**
 * Has the adapter tell {@link inTransaction} which connection a transaction has, and when it is no longer its own:
 * from COMMIT or ROLLBACK on, which may come of Prisma's time-out, nothing else may be sent on it.
 */
export function tellingConnections(factory: PrismaPg): PrismaPg {
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    const start = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (isolation) => {
      const transaction = await start(isolation);
      const place = opening.getStore();
      if (!place) return transaction;
      place.client = Reflect.get(transaction, 'client') as pg.PoolClient;
      const execute = transaction.executeRaw.bind(transaction);
      transaction.executeRaw = (query) => {
        if (query.sql === 'COMMIT' || query.sql === 'ROLLBACK') place.client = null;
        return execute(query);
      };
      return transaction;
    };
    return adapter;
  };
  return factory;
}

/**
 * Opens a transaction. In it statements in SQL go to the connection past Prisma, whose way with them costs several times
 * what they cost themselves.
 */
export function inTransaction<T>(
  prisma: Client,
  run: (db: Db) => Promise<T>,
  options: { timeout: number; maxWait: number },
): Promise<T> {
  const place: Place = { client: null };
  return opening.run(place, () => prisma.$transaction((db: Db) => run(pastPrisma(db, place)), options));
}

function pastPrisma(db: Db, place: Place): Db {
  const send = (query: Pick<Prisma.Sql, 'text' | 'values'>) => {
    if (!place.client) throw new Error('The transaction has ended.');
    // A transaction may act in a role of its own, for which statements are planned anew.
    return runSql(place.client, query, 't-');
  };
  const sql = (query: TemplateStringsArray | Prisma.Sql, values: unknown[]) =>
    query instanceof Prisma.Sql ? query : Prisma.sql(query, ...values);
  const own = {
    $queryRaw: async (query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) =>
      (await send(sql(query, values))).rows,
    $executeRaw: async (query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) =>
      (await send(sql(query, values))).rowCount ?? 0,
    $queryRawUnsafe: async (text: string, ...values: unknown[]) => (await send({ text, values })).rows,
    $executeRawUnsafe: async (text: string, ...values: unknown[]) =>
      (await send({ text, values })).rowCount ?? 0,
  };
  return new Proxy(db, {
    get: (target, name) => (Object.hasOwn(own, name) ? Reflect.get(own, name) : Reflect.get(target, name)),
  });
}
