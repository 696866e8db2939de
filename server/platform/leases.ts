import pg from 'pg';
import type { Log } from './log.ts';

interface Kind {
  /** Class of the advisory locks; of its own for each kind of row. */
  lockClass: number;
  /** Of the connection, as PostgreSQL shows it. */
  name: string;
}

/**
 * Leases of rows that one process at a time works on: advisory locks of one connection. PostgreSQL frees them the moment the connection is gone,
 * however the process ended.
 */
export class Leases {
  readonly #url: string;
  readonly #kind: Kind;
  readonly #log: Log;
  readonly #onLost: () => void;
  #client: pg.Client | null = null;
  #closed = false;

  /** @param onLost called when the connection broke: nothing is held any more */
  constructor(url: string, kind: Kind, log: Log, onLost: () => void) {
    this.#url = url;
    this.#kind = kind;
    this.#log = log;
    this.#onLost = onLost;
  }

  /** Takes what is free. @returns those that are ours now; the same one must not be taken twice */
  async take(ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0 || this.#closed) return [];
    const client = this.#client ?? (await this.#connect());
    const { rows } = await client.query<{ id: string; held: boolean }>(
      'SELECT id, pg_try_advisory_lock($1, hashtext(id)) AS held FROM unnest($2::text[]) AS wanted (id)',
      [this.#kind.lockClass, ids],
    );
    return rows.filter(({ held }) => held).map(({ id }) => id);
  }

  /** Gives back; later calls of `take` come after it. */
  release(ids: readonly string[]): void {
    this.#client
      ?.query('SELECT pg_advisory_unlock($1, hashtext(id)) FROM unnest($2::text[]) AS given (id)', [
        this.#kind.lockClass,
        ids,
      ])
      .catch((error: unknown) => this.#log.warn({ err: error }, 'leases not given back'));
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = this.#client;
    this.#client = null;
    await client?.end();
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: this.#kind.name,
      keepAlive: true,
      connectionTimeoutMillis: 3_000,
      query_timeout: 10_000,
    });
    client.on('error', () => this.#gone(client));
    client.on('end', () => this.#gone(client));
    await client.connect();
    this.#client = client;
    return client;
  }

  #gone(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#onLost();
  }
}
