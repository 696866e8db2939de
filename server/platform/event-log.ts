import type { Pool } from 'pg';
import type { Event, EventFamily } from '../../schema/events.ts';
import { withSequence } from './events.ts';

/** One row of the log, read once and shared by all who are told of it: nobody changes it. */
export interface LogEntry {
  companyId: string;
  sequence: number;
  family: EventFamily;
  conversationId: string | null;
  contactId: string | null;
  /** Length of the body, in characters. */
  size: number;
  event: Event;
}

interface LogRow {
  horizon: string;
  purged: string;
  late: boolean;
  company_id: string | null;
  sequence: string;
  family: EventFamily;
  conversation_id: string | null;
  contact_id: string | null;
  payload: string;
}

/** What to read: entries with `from <= sequence < to`, of these companies. */
export interface LogRange {
  companies: readonly string[];
  from: number;
  to?: number;
  families?: readonly string[] | undefined;
  conversation?: string | undefined;
  contact?: string | undefined;
  /** At most this many. */
  limit: number;
}

export interface LogSlice {
  /** In sequence order. */
  entries: LogEntry[];
  /** Everything below is settled: committed, or never will be. Of the same snapshot as the entries. */
  horizon: number;
  /** Everything up to here may have been purged. */
  purged: number;
  /** Whether these companies have entries at or above the horizon. */
  late: boolean;
}

/**
 * Reads the log below the horizon in one statement, so that rows and horizon are of one snapshot: what commits
 * later lies above the horizon told, and is never skipped.
 */
export async function readLog(pool: Pool, range: LogRange): Promise<LogSlice> {
  const { companies, from, to = Number.MAX_SAFE_INTEGER, families, limit } = range;
  const { rows } = await pool.query<LogRow>({
    name: 'read-log',
    text: statement,
    values: [companies, from, to, families ?? null, range.conversation ?? null, range.contact ?? null, limit],
  });
  const [first] = rows;
  if (!first) throw new Error('The log has no epoch.');
  return {
    entries: rows.flatMap((row) => (row.company_id === null ? [] : [entryOf(row, row.company_id)])),
    horizon: Number(first.horizon),
    purged: Number(first.purged),
    late: first.late,
  };
}

/** Sequence of an event of this company, or null when it is unknown or no longer kept. */
export async function sequenceOf(pool: Pool, companyId: string, eventId: string): Promise<number | null> {
  const { rows } = await pool.query<{ sequence: string }>(
    'SELECT sequence FROM events WHERE company_id = $1 AND id = $2',
    [companyId, eventId],
  );
  return rows[0] ? Number(rows[0].sequence) : null;
}

/** Name of the row in `event_cursors` that tells up to where the log has been purged. */
export const purgeMark = 'purged';

const statement = `
  SELECT event_horizon() AS horizon,
    coalesce((SELECT sequence FROM event_cursors WHERE name = '${purgeMark}'), 0) AS purged,
    EXISTS (SELECT FROM events WHERE company_id = ANY($1::text[]) AND sequence >= event_horizon()) AS late,
    entry.*
  FROM (VALUES (1)) AS one
  LEFT JOIN LATERAL (
    SELECT company_id, sequence, family, conversation_id, contact_id, payload::text AS payload
    FROM events
    WHERE company_id = ANY($1::text[]) AND sequence >= $2::bigint
      AND sequence < least($3::bigint, event_horizon())
      AND ($4::text[] IS NULL OR family = ANY($4::text[]))
      AND ($5::text IS NULL OR conversation_id = $5)
      AND ($6::text IS NULL OR contact_id = $6)
    ORDER BY sequence LIMIT $7
  ) AS entry ON true
  ORDER BY entry.sequence`;

function entryOf(row: LogRow, companyId: string): LogEntry {
  const sequence = Number(row.sequence);
  return {
    companyId,
    sequence,
    family: row.family,
    conversationId: row.conversation_id,
    contactId: row.contact_id,
    size: row.payload.length,
    event: withSequence(JSON.parse(row.payload), BigInt(sequence)),
  };
}
