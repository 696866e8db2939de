import type { Pool } from 'pg';
import type { Event } from '../../schema/events.ts';
import { eventBody } from './payload.ts';
import { openSecret } from './secrets.ts';
import type { Health } from './schedule.ts';

/** An endpoint as its lane needs it. */
export interface Target extends Health {
  companyId: string;
  id: string;
  url: string;
  enabled: boolean;
  /** The current one first; those with an end sign along until then. */
  secrets: { secret: string; expiresAt: Date | null }[];
}

/** A delivery that is due, with the bytes to send. */
export interface Due {
  id: string;
  eventId: string;
  eventType: string;
  sequence: bigint;
  conversationId: string | null;
  /** Never attempted: goes out in the order of its thread. */
  first: boolean;
  attempts: number;
  scheduleFrom: number;
  resent: boolean;
  body: Buffer;
}

interface DueRow {
  id: string;
  event_id: string;
  event_type: string;
  sequence: string;
  conversation_id: string | null;
  status: string;
  attempts: number;
  schedule_from: number;
  resent: boolean;
  payload: string;
  found: number;
}

interface TargetRow {
  company_id: string;
  id: string;
  url: string;
  enabled: boolean;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  failing_since: Date | null;
  failure_count: number;
  circuit_open_until: Date | null;
  secrets: { id: string; secret: string; expires_at: string | null }[];
}

/** Deliveries of one endpoint read at a time, and the most bytes of their bodies. */
const page = 50;
const pageBytes = 2 * 1024 * 1024;

/** Endpoints that have something due, over all companies, without those whose circuit is open. */
export async function findDueEndpoints(pool: Pool, now: Date): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'webhooks-due-endpoints',
    text: endpointsStatement,
    values: [now],
  });
  return rows.map(({ id }) => id);
}

/**
 * Endpoints with their secrets, decrypted. One that is gone is left out, and one whose secrets can't be read.
 * @param unreadable is told of the latter
 */
export async function readTargets(
  pool: Pool,
  key: Buffer,
  ids: readonly string[],
  unreadable: (endpointId: string, error: unknown) => void,
): Promise<Target[]> {
  const { rows } = await pool.query<TargetRow>({
    name: 'webhooks-targets',
    text: targetsStatement,
    values: [ids],
  });
  return rows.flatMap((row) => {
    try {
      return [targetOf(row, key)];
    } catch (error) {
      unreadable(row.id, error);
      return [];
    }
  });
}

function targetOf(row: TargetRow, key: Buffer): Target {
  return {
    companyId: row.company_id,
    id: row.id,
    url: row.url,
    enabled: row.enabled,
    lastSuccessAt: row.last_success_at,
    lastFailureAt: row.last_failure_at,
    failingSince: row.failing_since,
    failureCount: row.failure_count,
    circuitOpenUntil: row.circuit_open_until,
    secrets: row.secrets.map(({ id, secret, expires_at: expiresAt }) => ({
      secret: openSecret(key, { companyId: row.company_id, id, secret: Buffer.from(secret, 'base64') }),
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
    })),
  };
}

/**
 * What an endpoint has due: first attempts in the order of the log, after `after`, and repeats by time.
 * @param held ids of repeats that the caller has already
 */
export async function readDue(
  pool: Pool,
  { companyId, id }: Pick<Target, 'companyId' | 'id'>,
  now: Date,
  after: bigint,
  held: readonly string[],
): Promise<{ due: Due[]; more: boolean }> {
  // Without a name, so that it is planned for the queue as long as it is now.
  const values = [companyId, id, after, now, page, held, pageBytes];
  const { rows } = await pool.query<DueRow>(dueStatement, values);
  const due = rows.map((row): Due => {
    const event = JSON.parse(row.payload) as Omit<Event, 'sequence'>;
    return {
      id: row.id,
      eventId: row.event_id,
      eventType: row.event_type,
      sequence: BigInt(row.sequence),
      conversationId: row.conversation_id,
      first: row.status === 'pending',
      attempts: row.attempts,
      scheduleFrom: row.schedule_from,
      resent: row.resent,
      body: eventBody(event, BigInt(row.sequence)),
    };
  });
  const first = due.filter((delivery) => delivery.first).length;
  const more = first === page || due.length - first === page || due.length < (rows[0]?.found ?? 0);
  return { due, more };
}

// Jumps from endpoint to endpoint in the index instead of reading every row of a long queue.
const jump = (status: string, name: string) => `
  ${name} AS (
    (SELECT company_id, endpoint_id FROM webhook_deliveries WHERE status = '${status}'
      ORDER BY company_id, endpoint_id LIMIT 1)
    UNION ALL
    SELECT next.company_id, next.endpoint_id FROM ${name}, LATERAL (
      SELECT d.company_id, d.endpoint_id FROM webhook_deliveries d
      WHERE d.status = '${status}' AND (d.company_id, d.endpoint_id) > (${name}.company_id, ${name}.endpoint_id)
      ORDER BY d.company_id, d.endpoint_id LIMIT 1
    ) AS next
  )`;

/** Nothing is sent for a company that is closed; what waits is sent when it is opened again. */
const open = 'NOT EXISTS (SELECT FROM companies c WHERE c.id = w.company_id AND c.closed_at IS NOT NULL)';

/** Endpoints with something due at $1. */
export const endpointsStatement = `
  WITH RECURSIVE ${jump('pending', 'fresh')}, ${jump('retrying', 'repeats')}
  SELECT w.id FROM (
    SELECT company_id, endpoint_id FROM fresh
    UNION
    SELECT company_id, endpoint_id FROM repeats WHERE EXISTS (
      SELECT FROM webhook_deliveries d
      WHERE d.company_id = repeats.company_id AND d.endpoint_id = repeats.endpoint_id AND d.status = 'retrying'
        AND d.next_attempt_at <= $1
    )
  ) AS queued JOIN webhook_endpoints w ON w.company_id = queued.company_id AND w.id = queued.endpoint_id
  WHERE w.enabled AND (w.circuit_open_until IS NULL OR w.circuit_open_until <= $1) AND ${open}`;

const targetsStatement = `
  SELECT w.company_id, w.id, w.url, w.enabled AND ${open} AS enabled, w.last_success_at, w.last_failure_at, w.failing_since, w.failure_count,
    w.circuit_open_until, coalesce((
      SELECT json_agg(
        json_build_object('id', s.id, 'secret', encode(s.secret, 'base64'), 'expires_at', s.expires_at)
        ORDER BY s.expires_at IS NOT NULL, s.created_at DESC, s.id DESC
      )
      FROM webhook_secrets s WHERE s.company_id = w.company_id AND s.endpoint_id = w.id
    ), '[]') AS secrets
  FROM webhook_endpoints w WHERE w.id = ANY($1::text[])`;

const dueColumns = `d.id, d.event_id, d.event_type, d.sequence, d.conversation_id, d.status, d.attempts,
  d.schedule_from, d.resent_at IS NOT NULL AND d.attempts = d.schedule_from AS resent`;

/** What one endpoint has due. */
export const dueStatement = `
  WITH queued AS (
    (SELECT ${dueColumns} FROM webhook_deliveries d
      WHERE d.company_id = $1 AND d.endpoint_id = $2 AND d.status = 'pending' AND d.sequence > $3::bigint
      ORDER BY d.sequence LIMIT $5)
    UNION ALL
    (SELECT ${dueColumns} FROM webhook_deliveries d
      WHERE d.company_id = $1 AND d.endpoint_id = $2 AND d.status = 'retrying' AND d.next_attempt_at <= $4
        AND d.id <> ALL($6::text[])
      ORDER BY d.next_attempt_at LIMIT $5)
  ), sized AS (
    SELECT queued.*, e.payload, count(*) OVER ()::int AS found,
      sum(pg_column_size(e.payload)) OVER (ORDER BY queued.status, queued.sequence, queued.id) AS size,
      row_number() OVER (ORDER BY queued.status, queued.sequence, queued.id) AS place
    FROM queued JOIN events e ON e.company_id = $1 AND e.id = queued.event_id
  )
  SELECT id, event_id, event_type, sequence, conversation_id, status, attempts, schedule_from, resent, found,
    payload::text AS payload
  FROM sized WHERE size <= $7 OR place = 1
  ORDER BY place`;
