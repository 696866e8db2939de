import type { ClientBase, Pool } from 'pg';
import type { Services } from '../platform/services.ts';
import { purgeEvents } from '../realtime/retention.ts';
import { acrossTenants } from '../platform/tenancy.ts';
import { forgetRequests } from '../requests/retention.ts';
import { erasedText } from './erase-statements.ts';

const day = 24 * 60 * 60 * 1000;
/** Messages of one transaction. */
const batch = 1_000;

/** One company's share of the work: what is older than `before` goes. */
interface Share {
  companyId: string;
  before: Date;
  now: Date;
}

/**
 * Applies what companies say of how long they keep things: what was written and sent as a file is blanked, events with
 * their deliveries and the request log are deleted. Ids, times, statuses and figures stay, so reports go on adding up.
 * A message that has still to leave is not touched. Run again, it finds nothing more to do.
 * @returns how many messages were blanked
 */
export async function applyRetention(app: Services): Promise<number> {
  const now = app.clock.now();
  const { rows } = await app.pool.query<{ id: string; days: number }>(
    'SELECT id, retention_days AS days FROM companies WHERE retention_days IS NOT NULL',
  );
  let blanked = 0;
  for (const { id: companyId, days } of rows) {
    const share = { companyId, before: new Date(now.getTime() - days * day), now };
    try {
      blanked += await blankMessages(app, share);
      await forgetWhatWasTold(app.pool, share);
      await acrossTenants(() => purgeEvents(app.prisma, now, share));
      await forgetRequests(app.pool, share);
    } catch (error) {
      // The next night tries again; the other companies are not held up.
      app.log.warn({ err: error, company: companyId }, 'retention not applied');
    }
  }
  return blanked;
}

async function blankMessages({ pool, storage }: Services, share: Share): Promise<number> {
  for (let total = 0; ;) {
    const { letters, count } = await inTransaction(pool, (client) => blankSome(client, share));
    for (const key of letters) await storage.remove(key);
    total += count;
    if (count < batch) return total;
  }
}

/** Files that nothing else shows are left to the job that removes unused uploads, with their rows. */
async function blankSome(
  client: ClientBase,
  { companyId, before, now }: Share,
): Promise<{ letters: string[]; count: number }> {
  const { rows } = await client.query<{ id: string; mediaId: string | null; letter: string | null }>(
    `SELECT id, media_id AS "mediaId", extra->>'letter' AS letter FROM messages
     WHERE company_id = $1 AND at < $2 AND status NOT IN ('held', 'queued')
       AND (text IS DISTINCT FROM $3 OR type <> 'text' OR media_id IS NOT NULL OR template IS NOT NULL
         OR extra IS NOT NULL OR product_id IS NOT NULL)
     ORDER BY at LIMIT ${batch} FOR UPDATE SKIP LOCKED`,
    [companyId, before, erasedText],
  );
  const ids = rows.map(({ id }) => id);
  const media = rows.flatMap(({ mediaId }) => mediaId ?? []);
  await client.query(
    `UPDATE messages SET type = 'text', text = $3, media_id = NULL, product_id = NULL, template = NULL, extra = NULL,
       failure_message = NULL, version = version + 1, updated_at = $4
     WHERE company_id = $1 AND id = ANY($2)`,
    [companyId, ids, erasedText, now],
  );
  await client.query(
    `UPDATE conversations SET rating_comment = NULL,
       last_message = last_message || jsonb_build_object('type', 'text', 'snippet', $3::text),
       version = version + 1, updated_at = $4
     WHERE company_id = $1 AND id IN (SELECT conversation_id FROM messages WHERE company_id = $1 AND id = ANY($2))
       AND last_message->>'id' = ANY($2)`,
    [companyId, ids, erasedText, now],
  );
  await client.query(
    `UPDATE media SET expires_at = $3 WHERE company_id = $1 AND id = ANY($2)
       AND NOT EXISTS (SELECT FROM messages m WHERE m.company_id = $1 AND m.media_id = media.id)
       AND NOT EXISTS (SELECT FROM quick_replies q WHERE q.company_id = $1 AND q.media_id = media.id)
       AND NOT EXISTS (SELECT FROM campaigns c WHERE c.company_id = $1 AND c.media_id = media.id)`,
    [companyId, media, now],
  );
  return { letters: rows.flatMap(({ letter }) => letter ?? []), count: rows.length };
}

/** What others made of it or were told: AI's texts, and deliveries whose schedule is over. */
async function forgetWhatWasTold(pool: Pool, { companyId, before }: Share): Promise<void> {
  const old = [companyId, before];
  await pool.query(
    `WITH gone AS (
       DELETE FROM ai_suggestions WHERE company_id = $1 AND created_at < $2 RETURNING conversation_id, status)
     UPDATE conversations SET pending_suggestions = greatest(0, pending_suggestions - n::int)
     FROM (SELECT conversation_id, count(*) AS n FROM gone WHERE status = 'pending' GROUP BY conversation_id) AS lost
     WHERE company_id = $1 AND id = lost.conversation_id`,
    old,
  );
  await pool.query('DELETE FROM ai_insights WHERE company_id = $1 AND updated_at < $2', old);
  await pool.query(
    `DELETE FROM webhook_deliveries WHERE company_id = $1 AND created_at < $2
       AND status NOT IN ('pending', 'retrying')`,
    old,
  );
}

async function inTransaction<T>(pool: Pool, work: (client: ClientBase) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const value = await work(client);
    await client.query('COMMIT');
    return value;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
