import type pg from 'pg';
import { newId } from '../platform/ids.ts';

/** Where processes tell each other what is due and which endpoints were changed. */
export const webhooksChannel = 'parlour_webhooks';

/** Names the advisory lock of whoever dispatches, over all processes. */
const dispatchLock = 7_701;
const batch = 500;
/** Ids in one announcement: PostgreSQL takes 8,000 bytes. */
const announced = 100;

/** What one pass over the log came to. */
interface Pass {
  /** Somebody else is at it. */
  busy: boolean;
  /** There may be more to read at once. */
  more: boolean;
  /** A transaction that is still open holds back events: to be looked at again soon. */
  late: boolean;
}

interface Place {
  /** Events below have been dispatched. */
  position: string;
  horizon: string;
  late: boolean;
  /** Whether there is anything between the two. */
  idle: boolean;
}

interface Found {
  last: string;
  read: number;
  company_id: string | null;
  endpoint_id: string;
  event_id: string;
  type: string;
  sequence: string;
  conversation_id: string | null;
}

/**
 * Turns events into deliveries: one for each endpoint that asked for it. It takes the log in order, only what lies
 * below the horizon, and moves its mark in the same transaction: nothing is skipped, and nothing is made twice.
 */
export async function dispatch(pool: pg.Pool, now: Date): Promise<Pass> {
  const client = await pool.connect();
  try {
    const [, lock] = (await client.query(beginStatement)) as unknown as pg.QueryResult<{ taken: boolean }>[];
    const pass = lock?.rows[0]?.taken
      ? await passOver(client, now)
      : { busy: true, more: false, late: false };
    await client.query('COMMIT');
    client.release();
    return pass;
  } catch (error) {
    // Its transaction ends with it.
    client.release(true);
    throw error;
  }
}

async function passOver(client: pg.PoolClient, now: Date): Promise<Pass> {
  // What lies below the horizon is settled, so it may be read by a later statement.
  const { rows: places } = await client.query<Place>({ name: 'webhooks-place', text: placeStatement });
  const [place] = places;
  if (!place) throw new Error('The mark of the dispatcher is missing.');
  const { position, horizon, late, idle } = place;
  if (idle) return { busy: false, more: false, late };
  const values = [position, horizon, batch];
  const { rows } = await client.query<Found>({ name: 'webhooks-read', text: readStatement, values });
  const [first] = rows;
  if (first) {
    const wanted = rows.flatMap((row) => (row.company_id === null ? [] : [{ ...row, id: newId() }]));
    const due = [...new Set(wanted.map((row) => row.endpoint_id))];
    const announcements = Array.from({ length: Math.ceil(due.length / announced) }, (_, part) =>
      dueAnnouncement(due.slice(part * announced, (part + 1) * announced)),
    );
    await client.query({
      name: 'webhooks-write',
      text: writeStatement,
      values: [JSON.stringify(wanted), now, first.last, announcements],
    });
  }
  return { busy: false, more: first?.read === batch, late };
}

/** What an announcement says. */
export type Announced = { due: string[] } | { changed: string };

export function dueAnnouncement(endpointIds: readonly string[]): string {
  return `due:${endpointIds.join(',')}`;
}

export function changedAnnouncement(endpointId: string): string {
  return `changed:${endpointId}`;
}

export function readAnnouncement(text: string): Announced {
  const [kind, ids = ''] = text.split(':');
  return kind === 'changed' ? { changed: ids } : { due: ids.split(',') };
}

/* One round trip; what follows sees at least what whoever had the lock before has committed. */
const beginStatement = `BEGIN; SELECT pg_try_advisory_xact_lock(${dispatchLock}, 0) AS taken`;

/** How far the log has been dispatched and how far it can be. */
export const placeStatement = `
  SELECT position, horizon, newest >= horizon AS late, newest IS NULL OR newest < position AS idle
  FROM (
    SELECT sequence AS position, event_horizon() AS horizon, (SELECT max(sequence) FROM events) AS newest
    FROM event_cursors WHERE name = 'webhooks'
  ) AS place`;

/** No rows when there is nothing to read; one without an endpoint when nobody asked for any of it. */
export const readStatement = `
  WITH part AS MATERIALIZED (
    SELECT company_id, id, sequence, type, family, conversation_id, actor, livemode FROM events
    WHERE sequence >= $1 AND sequence < $2
    ORDER BY sequence LIMIT $3
  ), wanted AS (
    SELECT part.company_id, w.id AS endpoint_id, part.id AS event_id, part.type, part.sequence, part.conversation_id
    FROM part JOIN webhook_endpoints w ON w.company_id = part.company_id
    WHERE w.enabled AND part.livemode AND part.family <> 'webhook' AND part.sequence > w.start_sequence
      AND w.events && ARRAY['*', part.type]
      AND (w.skip_api_key_id IS NULL OR part.actor->>'type' <> 'api_key'
        OR w.skip_api_key_id IS DISTINCT FROM part.actor->>'id')
  )
  SELECT came.last, came.read, wanted.*
  FROM (SELECT max(sequence) AS last, count(*)::int AS read FROM part HAVING count(*) > 0) AS came
    LEFT JOIN wanted ON true
  ORDER BY wanted.sequence`;

const writeStatement = `
  WITH made AS (
    INSERT INTO webhook_deliveries
      (company_id, id, endpoint_id, event_id, event_type, sequence, conversation_id, next_attempt_at, created_at)
    SELECT company_id, id, endpoint_id, event_id, type, sequence, conversation_id, $2, $2
    FROM json_to_recordset($1::json) AS given (
      company_id text, id text, endpoint_id text, event_id text, type text, sequence bigint, conversation_id text
    )
    ON CONFLICT (company_id, endpoint_id, event_id) DO NOTHING
  ), moved AS (
    UPDATE event_cursors SET sequence = $3::bigint + 1, updated_at = $2 WHERE name = 'webhooks'
  )
  SELECT pg_notify('${webhooksChannel}', text) FROM unnest($4::text[]) AS announcement (text)`;
