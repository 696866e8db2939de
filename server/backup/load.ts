import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Jobs } from '../platform/jobs.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { type Manifest, notBackup, type SavedJob } from './format.ts';

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/**
 * One transaction that takes the rows of a backup. Foreign keys are taken off and put back at its end, so tables come
 * in any order and each key is checked once.
 */
export class Load {
  readonly #client: pg.Client;
  readonly #manifest: Manifest;
  readonly #loaded = new Map<string, number>();
  #keys: ForeignKey[] = [];
  #walled: string[] = [];
  #triggers: { table: string; name: string }[] = [];

  private constructor(client: pg.Client, manifest: Manifest) {
    this.#client = client;
    this.#manifest = manifest;
  }

  /** @throws OperatorError when there are companies already */
  static async open(databaseUrl: string, manifest: Manifest): Promise<Load> {
    const client = new pg.Client({ connectionString: databaseUrl, application_name: 'parlour-restore' });
    await client.connect();
    const load = new Load(client, manifest);
    try {
      await load.#begin();
    } catch (error) {
      await client.end();
      throw error;
    }
    return load;
  }

  async #begin(): Promise<void> {
    await this.#client.query(`SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; BEGIN`);
    await this.#client.query('LOCK TABLE companies');
    const { rows: used } = await this.#client.query('SELECT FROM companies LIMIT 1');
    if (used.length > 0)
      throw new OperatorError('The database is in use: a backup is restored into an empty one.');
    const { rows: keys } = await this.#client.query<ForeignKey>(
      `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
       FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`,
    );
    for (const { table, name } of keys)
      await this.#client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
    this.#keys = keys;
    // COPY fills no table that keeps its own owner to a policy.
    const { rows: walled } = await this.#client.query<{ name: string }>(
      `SELECT oid::regclass::text AS name FROM pg_class
       WHERE relforcerowsecurity AND relnamespace = current_schema()::regnamespace`,
    );
    this.#walled = walled.map(({ name }) => name);
    for (const name of this.#walled)
      await this.#client.query(`ALTER TABLE ${name} NO FORCE ROW LEVEL SECURITY`);
    // What triggers made of these rows comes with them.
    const { rows: triggers } = await this.#client.query<{ table: string; name: string }>(
      `SELECT tgrelid::regclass::text AS table, quote_ident(tgname) AS name FROM pg_trigger
       JOIN pg_class c ON c.oid = tgrelid
       WHERE NOT tgisinternal AND tgenabled = 'O' AND c.relnamespace = current_schema()::regnamespace`,
    );
    this.#triggers = triggers;
    for (const { table, name } of triggers)
      await this.#client.query(`ALTER TABLE ${table} DISABLE TRIGGER ${name}`);
    // Without companies there is nothing but what migrations themselves put there.
    for (const { name } of this.#manifest.tables)
      await this.#client.query(`DELETE FROM ${pg.escapeIdentifier(name)}`);
  }

  /** Takes some rows of a table, as they were written. Returns how many. */
  async copy(table: string, rows: Readable): Promise<number> {
    const known = this.#manifest.tables.find(({ name }) => name === table);
    if (!known) throw notBackup();
    const columns = known.columns.map((column) => pg.escapeIdentifier(column)).join(', ');
    const stream = this.#client.query(copyFrom(`COPY ${pg.escapeIdentifier(table)} (${columns}) FROM STDIN`));
    await pipeline(rows, stream);
    this.#loaded.set(table, (this.#loaded.get(table) ?? 0) + stream.rowCount);
    return stream.rowCount;
  }

  /** Ends it well, if all of the rows came. */
  async commit(jobs: Jobs, saved: readonly SavedJob[]): Promise<void> {
    const { tables, sequences } = this.#manifest;
    if (tables.some(({ name, rows }) => (this.#loaded.get(name) ?? 0) !== rows)) throw notBackup();
    for (const { name, last_value: value, is_called: called } of sequences)
      await this.#client.query('SELECT setval($1::regclass, $2, $3)', [
        pg.escapeIdentifier(name),
        value,
        called,
      ]);
    for (const { table, name, definition } of this.#keys)
      await this.#client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
    for (const name of this.#walled) await this.#client.query(`ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`);
    for (const { table, name } of this.#triggers)
      await this.#client.query(`ALTER TABLE ${table} ENABLE TRIGGER ${name}`);
    // This cluster may have counted fewer transactions than the one that numbered the events.
    await this.#client.query('SELECT repair_event_epoch()');
    for (const { name, data, start_after: at, singleton_key: key } of saved)
      await jobs.restore(this.#client, name, data, new Date(at), key);
    await this.#client.query('COMMIT');
    await this.#client.query('ANALYZE');
    await this.#client.end();
  }

  /** Leaves the database as it was. */
  async rollback(): Promise<void> {
    // The connection may be in the middle of a COPY: its end is what rolls back for certain.
    await this.#client.end().catch(() => undefined);
  }
}
