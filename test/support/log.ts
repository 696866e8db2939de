import type { Event } from '../../schema/events.ts';
import type { Services } from '../../server/platform/services.ts';
import type { Client } from './client.ts';

/** Bodies of the events about one conversation, in order. */
export async function eventsOf(app: Services, conversationId: string): Promise<Omit<Event, 'sequence'>[]> {
  const { rows } = await app.pool.query<{ payload: Omit<Event, 'sequence'> }>(
    'SELECT payload FROM events WHERE conversation_id = $1 ORDER BY sequence',
    [conversationId],
  );
  return rows.map(({ payload }) => payload);
}

/** An entry of any kind, as tests read it. */
type AnyEntry = { id: string; at: string; kind: string; author: object | null } & Record<string, unknown>;

/** A page of a conversation's timeline. */
export async function timelineOf(api: Client, id: string, query = {}): Promise<AnyEntry[]> {
  const answer = await api.get(`/conversations/${id}/timeline`, query);
  return answer.body.data;
}
