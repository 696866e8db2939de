import { AsyncLocalStorage } from 'node:async_hooks';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { Prisma } from '../../prisma/generated/client/client.ts';
import type { Database, Db } from './database.ts';
import { namedSql, runSql, statementName } from './statement.ts';

/* A transaction may act in a role of its own, for which statements are planned anew: there they have names of their own. */
const within = 't-';

/** The transaction that Prisma is about to join. */
const joining = new AsyncLocalStorage<Transaction>();

type Options = ConstructorParameters<typeof PrismaPg>[1];

/** The pg adapter, which can join a transaction that {@link inTransaction} has opened. */
export class JoiningPg extends PrismaPg {
  readonly #options: Options;

  constructor(pool: pg.Pool) {
    const options = { statementNameGenerator: statementName };
    super(pool, options);
    this.#options = {
      statementNameGenerator: (query) => {
        const name = statementName(query);
        return name === '' ? '' : within + name;
      },
    };
  }

  override async connect(): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect();
    const start = Reflect.get(adapter, 'startTransaction');
    adapter.startTransaction = (isolation) => {
      const transaction = joining.getStore();
      if (!transaction) return start.call(adapter, isolation);
      const own = {
        pgOptions: { value: this.#options },
        client: { value: { connect: async () => transaction.lent } },
      };
      return start.call(Object.create(adapter, own), isolation);
    };
    return adapter;
  }
}

/**
 * Runs `run` in one transaction on a connection of the pool. Statements in SQL go straight to the connection. Prisma joins
 * when it is first asked for a model: its way with a transaction costs several times what the transaction costs itself.
 * @param begin SQL that opens it, sent together with the first statement of `run`, which is given the rows of its last one
 * @param timeout a transaction that takes longer is rolled back, in milliseconds
 */
export async function inTransaction<T>(
  { pool, prisma }: Pick<Database, 'pool' | 'prisma'>,
  begin: string,
  run: (db: Db, begun: Promise<readonly object[]>) => Promise<Ending<T>>,
  timeout: number,
): Promise<T> {
  const transaction = new Transaction(await pool.connect(), prisma);
  const timer = setTimeout(() => void transaction.end('ROLLBACK').catch(() => {}), timeout);
  const begun = transaction.begin(begin);
  // Who does not wait for it learns of it by the next statement, which is refused.
  begun.catch(() => {});
  try {
    const { value, last } = await run(transaction.db, begun);
    await transaction.commit(last);
    return value;
  } catch (error) {
    await transaction.end('ROLLBACK').catch(() => {});
    // If it failed, it is the reason why what came behind it did.
    await begun;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** What a transaction comes to. */
export interface Ending<T> {
  value: T;
  /** The statement that is sent together with the COMMIT; without it nothing is committed. */
  last: Prisma.Sql | null;
}

/** Properties of the Prisma client that are models. */
const models: ReadonlySet<string | symbol> = new Set(
  Object.keys(Prisma.ModelName).map((name) => name.charAt(0).toLowerCase() + name.slice(1)),
);

class Transaction {
  /** Null from its end on: then nothing else may be sent on the connection. */
  #client: pg.PoolClient | null;
  readonly #prisma: Database['prisma'];
  readonly #over = Promise.withResolvers<void>();
  #joined: Promise<Db> | undefined;
  readonly db: Db;

  constructor(client: pg.PoolClient, prisma: Database['prisma']) {
    this.#client = client;
    this.#prisma = prisma;
    this.db = this.#face();
  }

  async begin(sql: string): Promise<readonly object[]> {
    // Several statements have several results.
    const results = [await this.#open().query(sql)].flat();
    return results.at(-1)?.rows ?? [];
  }

  /** Ends it with a last statement, in one round trip. */
  async commit(last: Prisma.Sql | null): Promise<void> {
    if (!last) return this.end('COMMIT');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let refused = false;
    this.#open().query(namedSql(last, within), (error) => {
      refused = Boolean(error);
      if (error) reject(error);
      else resolve();
    });
    // A statement that PostgreSQL refuses makes a rollback of the COMMIT behind it. One that can't even be sent, such as
    // for a value that has no text, has told so by now.
    const [written, ended] = await Promise.allSettled([promise, this.end(refused ? 'ROLLBACK' : 'COMMIT')]);
    for (const step of [written, ended]) if (step.status === 'rejected') throw step.reason;
  }

  /** Ends it and gives the connection back; one that can't even be told so is closed. A second end has nothing to do. */
  async end(how: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    if (how === 'ROLLBACK' && !this.#client) return;
    const client = this.#open();
    this.#client = null;
    this.#over.resolve();
    let command: string;
    try {
      ({ command } = await client.query(how));
    } catch (error) {
      client.release(true);
      throw error;
    }
    client.release();
    // So PostgreSQL answers when a statement has failed and nobody minded.
    if (command !== how) throw new Error('The transaction was rolled back.');
  }

  /** The connection as Prisma's adapter uses it for the transaction it has joined: when that begins and ends, others decide. */
  get lent() {
    return {
      query: async (query: string | pg.QueryConfig) => {
        const text = typeof query === 'string' ? query : query.text;
        if (/^(BEGIN|COMMIT|ROLLBACK)$/.test(text)) return { fields: [], rows: [], rowCount: 0 };
        return this.#open().query(query);
      },
      on() {},
      removeListener() {},
      release() {},
    };
  }

  #open(): pg.PoolClient {
    // With Prisma's code for it.
    if (!this.#client) throw Object.assign(new Error('The transaction has ended.'), { code: 'P2028' });
    return this.#client;
  }

  /** What services see: SQL goes to the connection, a model to Prisma. */
  #face(): Db {
    const send = async ({ text, values }: Pick<Prisma.Sql, 'text' | 'values'>) =>
      runSql(this.#open(), { text, values }, within);
    const sql = (query: TemplateStringsArray | Prisma.Sql, values: unknown[]) =>
      query instanceof Prisma.Sql ? query : Prisma.sql(query, ...values);
    const own: Record<string | symbol, unknown> = {
      $queryRaw: async (query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) =>
        (await send(sql(query, values))).rows,
      $executeRaw: async (query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) =>
        (await send(sql(query, values))).rowCount ?? 0,
      $queryRawUnsafe: async (text: string, ...values: unknown[]) => (await send({ text, values })).rows,
      $executeRawUnsafe: async (text: string, ...values: unknown[]) =>
        (await send({ text, values })).rowCount ?? 0,
    };
    return new Proxy(own, {
      get: (target, name) =>
        target[name] ?? (models.has(name) ? (target[name] = this.#model(name)) : undefined),
    }) as unknown as Db;
  }

  #model(name: string | symbol): object {
    const ask =
      (method: string | symbol) =>
      async (...args: unknown[]): Promise<unknown> => {
        const model: object = Reflect.get(await this.#join(), name);
        return Reflect.apply(Reflect.get(model, method), model, args);
      };
    return new Proxy({}, { get: (_target, method) => ask(method) });
  }

  #join(): Promise<Db> {
    this.#joined ??= new Promise((resolve, reject) => {
      const joined = (db: Db) => {
        resolve(db);
        return this.#over.promise;
      };
      // It ends when ours has ended, so it needs no patience of its own.
      joining
        .run(this, () => this.#prisma.$transaction(joined, { timeout: 3_600_000, maxWait: 30_000 }))
        .catch(reject);
    });
    return this.#joined;
  }
}
