import type pg from 'pg';
import type { Services } from '../../server/platform/services.ts';
import { newId } from '../../server/platform/ids.ts';

interface EventRow {
  type?: string;
  at?: Date;
  conversation?: string;
  /** Characters that the record carries besides. */
  padding?: number;
}

/** Events past the API, in one transaction, announced as those of a service. @returns their ids, in order */
export async function insertEvents(
  to: Pick<Services, 'pool'> | pg.Client,
  companyId: string,
  count: number,
  { type = 'contact.updated', at = new Date(), conversation, padding = 0 }: EventRow = {},
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  const events = ids.map((id, index) => ({
    id,
    n: index,
    payload: {
      id,
      type,
      api_version: 'v1',
      created_at: at.toISOString(),
      livemode: true,
      company: companyId,
      actor: { type: 'system', id: null, name: null, request_id: null },
      cause: null,
      data: { object: { id: newId(), index, padding: 'x'.repeat(padding) } },
    },
  }));
  const pool = 'pool' in to ? to.pool : to;
  await pool.query(
    `WITH stored AS (
       INSERT INTO events (company_id, id, sequence, type, family, conversation_id, actor, payload, created_at)
       SELECT $1, id, event_sequence_base() + n, $2, split_part($2, '.', 1), $3, payload->'actor', payload, $4
       FROM json_to_recordset($5) AS given (id text, n int, payload jsonb)
       RETURNING company_id)
     SELECT pg_notify('parlour_events', company_id) FROM stored LIMIT 1`,
    [companyId, type, conversation ?? null, at, JSON.stringify(events)],
  );
  return ids;
}
