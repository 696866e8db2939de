import { channelEventMaximum } from '../../schema/realtime.ts';
import type { Announcement } from '../platform/announce.ts';
import type { Event } from '../../schema/events.ts';

/** What a channel carries: the body of a webhook, or the same for what is not in the log. */
type Body = Omit<Event, 'sequence'> & { sequence: number | null };

/** A message of the Pusher protocol; its data is JSON in a string. */
export function channelMessage(channel: string, body: Body): string {
  const text = JSON.stringify(body);
  const { id, type, sequence } = body;
  const data =
    Buffer.byteLength(text) <= channelEventMaximum
      ? text
      : JSON.stringify({ id, type, sequence, truncated: true });
  return JSON.stringify({ event: type, channel, data });
}

/** The envelope of something transient: it has no place in the log, so no sequence. */
export function transientBody(
  { id, company, at }: Announcement,
  type: string,
  object: Record<string, unknown>,
): Body {
  return {
    id,
    type,
    api_version: 'v1',
    created_at: at,
    livemode: true,
    company,
    sequence: null,
    actor: { type: 'system', id: null, name: null, request_id: null },
    cause: null,
    data: { object },
  };
}
