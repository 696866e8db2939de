import type { Pool } from 'pg';
import { requestsKept } from '../../schema/requests.ts';

const batch = 2_000;

/** Removes requests of more than 30 days, and of each company all but the newest hundred thousand. */
export async function purgeRequests(pool: Pool, now: Date, most: number = requestsKept.rows): Promise<void> {
  const before = new Date(now.getTime() - requestsKept.days * 24 * 60 * 60 * 1000);
  await remove(pool, 'created_at < $1', [before]);
  const { rows } = await pool.query<{ id: string; at: Date }>(
    `SELECT c.id, oldest.created_at AS at FROM companies c
     CROSS JOIN LATERAL (
       SELECT r.created_at FROM request_logs r WHERE r.company_id = c.id
       ORDER BY r.created_at DESC, r.id DESC OFFSET $1 LIMIT 1
     ) AS oldest`,
    [most],
  );
  for (const { id, at } of rows) await remove(pool, 'company_id = $1 AND created_at <= $2', [id, at]);
}

/** Removes what one company asked for before a moment. */
export async function forgetRequests(
  pool: Pool,
  { companyId, before }: { companyId: string; before: Date },
): Promise<void> {
  await remove(pool, 'company_id = $1 AND created_at < $2', [companyId, before]);
}

async function remove(pool: Pool, condition: string, values: unknown[]): Promise<void> {
  for (let removed = batch; removed === batch;) {
    const { rowCount } = await pool.query(
      `DELETE FROM request_logs r USING (
         SELECT company_id, id FROM request_logs WHERE ${condition} LIMIT ${batch}
       ) AS old WHERE r.company_id = old.company_id AND r.id = old.id`,
      values,
    );
    removed = rowCount ?? 0;
  }
}
