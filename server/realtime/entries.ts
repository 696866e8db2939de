import type { TimelineEntry } from '../../schema/timeline.ts';
import { NoteEntry } from '../../schema/timeline.ts';
import { presentEntry } from '../conversations/present-timeline.ts';
import { timelinesOf } from '../conversations/timeline.ts';
import type { Announcement } from '../platform/announce.ts';
import type { Context } from '../platform/context.ts';
import type { LogEntry } from '../platform/event-log.ts';

type Source = { entry: LogEntry } | { announcement: Announcement };

/** What an event was found to be: loaded once, however many subscribers there are. */
const loaded = new WeakMap<object, Promise<TimelineEntry | null>>();

/** The timeline's entry that an event is about, as it is now; null when it is about none. */
export function timelineEntryOf(
  ctx: Context,
  conversation: string,
  source: Source,
): Promise<TimelineEntry | null> {
  const key = 'entry' in source ? source.entry : source.announcement;
  const known = loaded.get(key);
  if (known) return known;
  const loading = load(ctx, conversation, source);
  loaded.set(key, loading);
  loading.catch(() => loaded.delete(key));
  return loading;
}

async function load(ctx: Context, conversation: string, source: Source): Promise<TimelineEntry | null> {
  const place = placeOf(source);
  if (!place) return null;
  if ('note' in place) return place.note;
  // `at` never repeats within a conversation, so the newest entry before the next millisecond is the one.
  const before = new Date(Date.parse(place.at) + 1).toISOString();
  const timelines = await timelinesOf(ctx, [conversation], { limit: 1, before });
  const row = timelines.get(conversation)?.rows[0];
  return row?.id === place.id ? presentEntry(row, ctx.app) : null;
}

function placeOf(source: Source): { id: string; at: string } | { note: NoteEntry } | null {
  if ('announcement' in source) return messagePlace(source.announcement.object);
  const { event, family } = source.entry;
  if (family === 'message') return messagePlace(event.data.object);
  if (family !== 'conversation') return null;
  if (event.type !== 'conversation.noted') return { id: event.id, at: event.created_at };
  const note = noteOf(source.entry);
  return note && { note };
}

/** The note that an event tells of, as the event has it. */
export function noteOf({ event }: LogEntry): NoteEntry | null {
  if (event.type !== 'conversation.noted') return null;
  return NoteEntry.safeParse(event.data.details).data ?? null;
}

function messagePlace({ id, created_at: at }: Record<string, unknown>): { id: string; at: string } | null {
  return typeof id === 'string' && typeof at === 'string' ? { id, at } : null;
}
