import type { ClientBase } from 'pg';
import type { SeedPlan } from './plan.ts';

/** Runs `work` for 0 … count − 1 in batches, each committed by itself; returns the sum of what it returns. */
export async function inBatches(
  client: ClientBase,
  plan: SeedPlan,
  count: number,
  size: number,
  work: (indexes: number[]) => Promise<number>,
): Promise<number> {
  let inserted = 0;
  for (let first = 0; first < count; first += size) {
    const length = Math.min(size, count - first);
    const indexes = Array.from({ length }, (_, place) => first + place);
    inserted += await inTransaction(client, () => work(indexes));
    plan.options.onProgress?.(length);
  }
  return inserted;
}

export async function inTransaction<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const value = await work();
    await client.query('COMMIT');
    return value;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Those of the records that an earlier run has not made. A batch is whole or absent, so its head record tells. */
export async function missing(
  client: ClientBase,
  table: 'contacts' | 'conversations' | 'products' | 'orders',
  companyId: string,
  indexes: readonly number[],
  idOf: (index: number) => string,
): Promise<number[]> {
  const ids = indexes.map(idOf);
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM ${table} WHERE company_id = $1 AND id = ANY($2)`,
    [companyId, ids],
  );
  if (rows.length === 0) return [...indexes];
  const there = new Set(rows.map(({ id }) => id));
  return indexes.filter((_, place) => !there.has(ids[place] ?? ''));
}

/** Autovacuum gathers statistics a minute later at best; until then the planner takes a full table for an empty one. */
export async function analyse(client: ClientBase, tables: readonly string[]): Promise<void> {
  // Of a message only what lists look for: its text alone would take as long as all the rest.
  const parts = tables.map((table) =>
    table === 'messages'
      ? 'messages (company_id, id, conversation_id, contact_id, direction, type, status, at)'
      : table,
  );
  // A tenth of the usual sample: autovacuum will take the whole one.
  await client.query('SET default_statistics_target = 10');
  await client.query(`ANALYZE ${parts.join(', ')}`);
  await client.query('RESET default_statistics_target');
}
