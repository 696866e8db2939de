import type { z } from 'zod';
import type { EventEntry, MessageEntry, NoteEntry, TimelineEntry } from '../../../schema/timeline.ts';

/** What the timeline is made of. */
export type Row =
  | { kind: 'day'; id: string; at: string }
  | { kind: 'unread'; id: string; count: number }
  | { kind: 'message'; id: string; entry: z.infer<typeof MessageEntry>; continued: boolean }
  | { kind: 'note'; id: string; entry: NoteEntry }
  | { kind: 'events'; id: string; entries: z.infer<typeof EventEntry>[] };

/** Messages of one author within so many milliseconds stand together. */
const together = 5 * 60_000;

/** The first message that nobody has read, and how many there are. */
export interface Unread {
  first: string;
  count: number;
}

/** @param count messages of the customer at the end that nobody has read */
export function unreadIn(entries: readonly TimelineEntry[], count: number): Unread | null {
  const first = count === 0 ? undefined : entries.filter(isInbound).at(-count);
  return first ? { first: first.id, count } : null;
}

/** Entries, oldest first, with what separates them. */
export function rowsOf(entries: readonly TimelineEntry[], unread: Unread | null): Row[] {
  const rows: Row[] = [];
  let before: TimelineEntry | undefined;
  for (const entry of entries) {
    if (before === undefined || dayIn(before.at) !== dayIn(entry.at)) {
      rows.push({ kind: 'day', id: `day-${entry.id}`, at: entry.at });
      before = undefined;
    }
    if (entry.id === unread?.first) {
      rows.push({ kind: 'unread', id: 'unread', count: unread.count });
      before = undefined;
    }
    const last = rows.at(-1);
    if (entry.kind === 'event') {
      if (last?.kind === 'events') last.entries.push(entry);
      else rows.push({ kind: 'events', id: entry.id, entries: [entry] });
    } else if (entry.kind === 'note') rows.push({ kind: 'note', id: entry.id, entry });
    else rows.push({ kind: 'message', id: entry.id, entry, continued: continues(before, entry) });
    before = entry;
  }
  return rows;
}

function isInbound(entry: TimelineEntry): boolean {
  return entry.kind === 'message' && entry.direction === 'inbound';
}

function continues(before: TimelineEntry | undefined, entry: z.infer<typeof MessageEntry>): boolean {
  return (
    before?.kind === 'message' &&
    before.direction === entry.direction &&
    before.ai_generated === entry.ai_generated &&
    before.author?.type === entry.author?.type &&
    before.author?.name === entry.author?.name &&
    Date.parse(entry.at) - Date.parse(before.at) < together
  );
}

function dayIn(at: string): string {
  return new Date(at).toDateString();
}
