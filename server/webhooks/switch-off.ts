import type { Pool } from 'pg';
import type { Log } from '../platform/log.ts';
import { newId } from '../platform/ids.ts';
import { changedAnnouncement, webhooksChannel } from './dispatcher.ts';

/**
 * Switches an endpoint off on its own account and discards what waits for it, in one transaction. The Owner is told
 * once: a second call finds it off already.
 */
export async function switchOff(
  { pool, log }: { pool: Pool; log: Log },
  endpoint: { companyId: string; id: string },
  reason: 'gone' | 'failing',
  now: Date,
): Promise<void> {
  const { companyId, id } = endpoint;
  const values = [companyId, id, reason, now, newId(), changedAnnouncement(id)];
  const { rows } = await pool.query<{ url: string }>(statement, values);
  if (rows.length > 0)
    log.warn({ company_id: companyId, endpoint_id: id, reason }, 'webhook endpoint switched off');
}

const statement = `
  WITH off AS (
    UPDATE webhook_endpoints SET enabled = false, disabled_reason = $3, disabled_at = $4, owner_notified_at = $4,
      updated_at = $4
    WHERE company_id = $1 AND id = $2 AND enabled
    RETURNING company_id, id, url
  ), discarded AS (
    UPDATE webhook_deliveries d SET status = 'discarded', next_attempt_at = NULL, completed_at = $4
    FROM off
    WHERE d.company_id = off.company_id AND d.endpoint_id = off.id AND d.status IN ('pending', 'retrying')
  ), told AS (
    INSERT INTO notifications (company_id, id, user_id, kind, data, created_at)
    SELECT off.company_id, $5, owner.id, 'system', json_build_object(
      'topic', 'webhook.disabled', 'endpoint', off.id, 'url', off.url, 'reason', $3::text), $4
    FROM off, LATERAL (
      SELECT u.id FROM users u JOIN roles r ON r.company_id = u.company_id AND r.id = u.role_id
      WHERE u.company_id = off.company_id AND r.key = 'owner' AND u.deactivated_at IS NULL
      ORDER BY u.created_at, u.id LIMIT 1
    ) AS owner
  )
  SELECT off.url, pg_notify('${webhooksChannel}', $6) FROM off`;
