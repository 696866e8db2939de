import pg, { type ClientBase } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { enqueued } from '../platform/jobs.ts';
import type { Manifest, SavedJob } from './format.ts';

/** One moment of the database: all that is read from it is of that moment, while others go on writing. */
export class Snapshot {
  readonly #client: ClientBase & { end(): Promise<void> };

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async open(databaseUrl: string): Promise<Snapshot> {
    const client = new pg.Client({ connectionString: databaseUrl, application_name: 'parlour-backup' });
    await client.connect();
    try {
      await client.query(`SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0`);
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    } catch (error) {
      await client.end();
      throw error;
    }
    return new Snapshot(client);
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  async migrations(): Promise<string[]> {
    const { rows } = await this.#client.query<{ name: string }>(
      `SELECT migration_name AS name FROM _prisma_migrations
       WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY name`,
    );
    return rows.map(({ name }) => name);
  }

  /** All tables but the history of migrations and what PostgreSQL itself forgets in a crash. */
  async tables(): Promise<Manifest['tables']> {
    const { rows } = await this.#client.query<{ name: string; columns: string[] }>(
      `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relpersistence = 'p'
         AND c.relname <> '_prisma_migrations' AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
       GROUP BY 1 ORDER BY 1`,
    );
    const tables: Manifest['tables'] = [];
    for (const table of rows) {
      const { rows: counted } = await this.#client.query<{ n: string }>(
        `SELECT count(*) AS n FROM ${pg.escapeIdentifier(table.name)}`,
      );
      tables.push({ ...table, rows: Number(counted[0]?.n) });
    }
    return tables;
  }

  async sequences(): Promise<Manifest['sequences']> {
    const { rows } = await this.#client.query<{ name: string }>(
      'SELECT sequencename AS name FROM pg_sequences WHERE schemaname = current_schema() ORDER BY 1',
    );
    const sequences: Manifest['sequences'] = [];
    for (const { name } of rows) {
      const { rows: state } = await this.#client.query<{ last_value: string; is_called: boolean }>(
        `SELECT last_value, is_called FROM ${pg.escapeIdentifier(name)}`,
      );
      if (state[0]) sequences.push({ name, ...state[0] });
    }
    return sequences;
  }

  /** Rows of a table as COPY writes them, in parts that end with a row. */
  async *rows({ name, columns }: Manifest['tables'][number], partBytes: number): AsyncGenerator<Buffer> {
    const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
    const stream = this.#client.query(copyTo(`COPY ${pg.escapeIdentifier(name)} (${list}) TO STDOUT`));
    let parts: Buffer[] = [];
    let size = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      parts.push(chunk);
      size += chunk.length;
      if (size < partBytes) continue;
      const whole = Buffer.concat(parts);
      const end = whole.lastIndexOf(0x0a) + 1;
      if (end > 0) yield whole.subarray(0, end);
      parts = [whole.subarray(end)];
      size = whole.length - end;
    }
    if (size > 0) yield Buffer.concat(parts);
  }

  /** Jobs that have not ended, those under way too: they run again. What comes by the clock comes anew. */
  async jobs(): Promise<SavedJob[]> {
    const { rows } = await this.#client.query<{ queue: string | null }>(
      `SELECT to_regclass('jobs.job') AS queue`,
    );
    if (!rows[0]?.queue) return [];
    const { rows: jobs } = await this.#client.query<Omit<SavedJob, 'start_after'> & { start_after: Date }>(
      `SELECT name, data, start_after, singleton_key FROM jobs.job
       WHERE state < 'completed' AND name = ANY($1) ORDER BY created_on, id`,
      [enqueued],
    );
    return jobs.map((job) => ({ ...job, start_after: job.start_after.toISOString() }));
  }
}
