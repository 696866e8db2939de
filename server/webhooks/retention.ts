import type { Pool } from 'pg';
import { replayDays } from '../../schema/webhooks.ts';

const batch = 1_000;

/**
 * Removes deliveries of more than 30 days with their attempts, and secrets whose overlap has ended; discards what an
 * endpoint was given in the moment it was switched off.
 */
export async function tidyWebhooks(pool: Pool, now: Date): Promise<void> {
  const before = new Date(now.getTime() - replayDays * 24 * 60 * 60 * 1000);
  for (let removed = batch; removed === batch;) {
    const { rowCount } = await pool.query(
      `DELETE FROM webhook_deliveries d USING (
         SELECT company_id, id FROM webhook_deliveries WHERE created_at < $1 LIMIT $2
       ) AS old WHERE d.company_id = old.company_id AND d.id = old.id`,
      [before, batch],
    );
    removed = rowCount ?? 0;
  }
  await pool.query('DELETE FROM webhook_secrets WHERE expires_at <= $1', [now]);
  await pool.query(
    `UPDATE webhook_deliveries d SET status = 'discarded', next_attempt_at = NULL, completed_at = $1
     FROM webhook_endpoints w
     WHERE w.company_id = d.company_id AND w.id = d.endpoint_id AND NOT w.enabled
       AND d.status IN ('pending', 'retrying')`,
    [now],
  );
}
