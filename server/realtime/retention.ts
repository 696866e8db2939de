import { eventRetentionDays } from '../../schema/realtime.ts';
import { purgeMark } from '../platform/event-log.ts';
import { Prisma } from '../../prisma/generated/client/client.ts';
import type { Db } from '../platform/database.ts';

const day = 24 * 60 * 60 * 1000;
const batch = 1_000;

/**
 * Deletes events past their retention, a thousand at a time. The newest event of all stays: sequences are repaired
 * from it after a restore. How far the log was cut is kept in the same statement, so no reader takes a cut for a gap.
 * @param one a company that keeps its own for a shorter time; only its events go
 */
export async function purgeEvents(
  db: Db,
  now: Date,
  one?: { companyId: string; before: Date },
): Promise<number> {
  const before = one?.before ?? new Date(now.getTime() - eventRetentionDays * day);
  const whose = one ? Prisma.sql`company_id = ${one.companyId} AND` : Prisma.empty;
  let total = 0;
  for (;;) {
    const deleted = await db.$executeRaw`
      WITH gone AS (
        DELETE FROM events WHERE (company_id, id) IN (
          SELECT company_id, id FROM events
          WHERE ${whose} created_at < ${before} AND sequence < (SELECT max(sequence) FROM events)
          LIMIT ${batch} FOR UPDATE SKIP LOCKED)
        RETURNING sequence
      ), mark AS (
        INSERT INTO event_cursors (name, sequence, updated_at)
        SELECT ${purgeMark}, max(sequence), ${now} FROM gone HAVING count(*) > 0
        ON CONFLICT (name) DO UPDATE
          SET sequence = greatest(event_cursors.sequence, excluded.sequence), updated_at = excluded.updated_at
      )
      SELECT 1 FROM gone`;
    total += deleted;
    if (deleted < batch) return total;
  }
}
