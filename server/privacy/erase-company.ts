import type { Pool } from 'pg';
import type { Services } from '../platform/services.ts';
import { closedDays } from './close-company.ts';

/** Tables of a company that do not go with its row. The audit log stays: it is append-only and holds no values. */
const apart = ['events', 'idempotency_records', 'request_logs'];

/** Erases what was closed {@link closedDays} ago. @returns how many companies */
export async function eraseClosed({
  pool,
  storage,
  clock,
  log,
}: Pick<Services, 'pool' | 'storage' | 'clock' | 'log'>): Promise<number> {
  const before = new Date(clock.now().getTime() - closedDays * 24 * 60 * 60 * 1000);
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM companies WHERE closed_at <= $1 AND sandbox_of IS NULL ORDER BY closed_at',
    [before],
  );
  let erased = 0;
  for (const { id } of rows) {
    const files = await eraseRows(pool, id, before);
    if (files === null) continue;
    for (const key of files) await storage.remove(key);
    log.info({ company: id }, 'closed company erased');
    erased++;
  }
  return erased;
}

/** In one transaction, with the sandbox and the logins. @returns keys of its files; null where it was opened meanwhile */
async function eraseRows(pool: Pool, id: string, before: Date): Promise<string[] | null> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET CONSTRAINTS ALL DEFERRED');
    const { rows } = await client.query<{ id: string }>(
      'SELECT id FROM companies WHERE (id = $1 AND closed_at <= $2) OR sandbox_of = $1 FOR UPDATE',
      [id, before],
    );
    const ids = rows.map((row) => row.id);
    if (!ids.includes(id)) {
      await client.query('ROLLBACK');
      return null;
    }
    const { rows: files } = await client.query<{ key: string }>(
      `SELECT storage_key AS key FROM media WHERE company_id = ANY($1)
       UNION SELECT extra->>'letter' FROM messages WHERE company_id = ANY($1) AND extra->>'letter' IS NOT NULL`,
      [ids],
    );
    for (const table of apart)
      await client.query(`DELETE FROM ${client.escapeIdentifier(table)} WHERE company_id = ANY($1)`, [ids]);
    await client.query("DELETE FROM jobs.job WHERE data->>'companyId' = ANY($1)", [ids]);
    await client.query('DELETE FROM logins WHERE id IN (SELECT login_id FROM users WHERE company_id = $1)', [
      id,
    ]);
    await client.query('DELETE FROM companies WHERE id = $1', [id]);
    await client.query('COMMIT');
    return files.map(({ key }) => key);
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
