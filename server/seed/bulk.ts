import type { ClientBase } from 'pg';
import { analyse, inTransaction } from './batches.ts';

/** From so many messages on, building indexes afterwards is faster than keeping them up. */
export const bulkFrom = 50_000;

/** What a load of messages fills most. */
export const talkTables = [
  'messages',
  'conversations',
  'timeline_events',
  'notes',
  'conversation_tags',
  'ai_feedback',
];

/** Up to so many messages are few: sandboxes have some, and they are indexed anew in no time. */
const few = 20_000;

/**
 * Fills tables of messages that are as good as empty: secondary indexes and foreign keys are taken away, made again
 * from their own definitions and checked, all in the transaction of the load, so a crash leaves things as they were.
 * Nobody can read messages meanwhile; that is why it is only done while there are few.
 * @returns false, with nothing done, when there are more messages or the tables are in use
 */
export async function intoFewMessages(client: ClientBase, load: () => Promise<void>): Promise<boolean> {
  try {
    return await inTransaction(client, async () => {
      await client.query(`SET LOCAL lock_timeout = '2s'`);
      await client.query(`LOCK TABLE ${talkTables.join(', ')} IN ACCESS EXCLUSIVE MODE`);
      const { rows } = await client.query('SELECT FROM messages LIMIT $1', [few + 1]);
      if (rows.length > few) return false;
      const restore = await strip(client);
      await load();
      await client.query(`SET LOCAL maintenance_work_mem = '512MB'`);
      for (const statement of restore.indexes) await client.query(statement);
      // The keys are checked by joins, which would be nested loops over all rows without statistics.
      await analyse(client, talkTables);
      await client.query(`SET LOCAL enable_nestloop = off`);
      for (const statement of restore.keys) await client.query(statement);
      return true;
    });
  } catch (error) {
    if ((error as { code?: string }).code === lockNotAvailable) return false;
    throw error;
  }
}

const lockNotAvailable = '55P03';

interface Part {
  tableName: string;
  name: string;
  definition: string;
}

/** Drops what slows the load down and returns the statements that bring it back. */
async function strip(client: ClientBase): Promise<{ indexes: string[]; keys: string[] }> {
  const { rows: keys } = await client.query<Part>(
    `SELECT conrelid::regclass::text AS "tableName", quote_ident(conname) AS name,
       pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE conrelid = ANY($1::regclass[]) AND contype = 'f'`,
    [talkTables],
  );
  const { rows: indexes } = await client.query<Part>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indrelid = ANY($1::regclass[]) AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`,
    [talkTables],
  );
  for (const { tableName, name } of keys)
    await client.query(`ALTER TABLE ${tableName} DROP CONSTRAINT ${name}`);
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  // COPY fills no table that keeps its own owner to a policy.
  for (const table of talkTables) await client.query(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
  return {
    indexes: indexes.map(({ definition }) => definition),
    keys: [
      ...keys.map(
        ({ tableName, name, definition }) => `ALTER TABLE ${tableName} ADD CONSTRAINT ${name} ${definition}`,
      ),
      ...talkTables.map((table) => `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`),
    ],
  };
}
