import type { Context } from '../platform/context.ts';
import { invalidField } from '../platform/errors.ts';
import type { Announcement } from '../platform/announce.ts';
import { type LogEntry, readLog, sequenceOf } from '../platform/event-log.ts';
import type { FeedReader } from '../platform/feed-readers.ts';
import { isId } from '../platform/ids.ts';
import { interruptible } from '../platform/streams.ts';

/** What a follower is given: entries of the log in order, each once. */
export type Followed = { entry: LogEntry } | { announcement: Announcement } | Resync;

/** What came before `sequence` is no longer kept: the client loads its records anew and goes on from there. */
export interface Resync {
  resync: true;
  sequence: number;
}

export function isResync(item: object): item is Resync {
  return 'resync' in item;
}

/** Which entries a follower wants. */
export interface Wanted {
  /** `sequence` or id of the last event received; undefined is from now on. */
  after: string | undefined;
  families: readonly string[];
  conversation?: string | undefined;
  /** The contact that entries must be about, asked for each of them. Null: nobody yet, so none. */
  contact?: () => string | null;
  /** Announcements that are told among the entries. */
  transient?: (announcement: Announcement) => boolean;
}

const page = 100;
/** No contact's id. */
const nobody = '';

/**
 * Follows the log of the caller's company without gap or repetition: joins the live feed first, then reads from the
 * log what lies between `after` and the place where it joined, then goes on live.
 * Ends when `return` is called, also while it waits. @throws AppError `validation_failed` for a malformed `after`
 */
export async function follow(ctx: Context, wanted: Wanted): Promise<AsyncIterableIterator<Followed>> {
  const { after, families, conversation, contact, transient } = wanted;
  if (after !== undefined && !/^\d{1,16}$/.test(after) && !isId(after))
    throw invalidField('after', 'format', "Must be an event's sequence or id.");
  const known = new Set(families);
  const reader = await ctx.app.feed.join(
    ctx.companyId,
    (told) => {
      if ('announcement' in told) return transient?.(told.announcement) ?? false;
      if (!('entry' in told) || !known.has(told.entry.family)) return false;
      if (contact && (told.entry.contactId === null || told.entry.contactId !== contact())) return false;
      return conversation === undefined || told.entry.conversationId === conversation;
    },
    conversation,
  );
  return interruptible(run(ctx, wanted, reader), () => reader.close());
}

async function* run(
  ctx: Context,
  { after, families, conversation, contact }: Wanted,
  reader: FeedReader,
): AsyncGenerator<Followed, undefined, undefined> {
  try {
    let last = after === undefined ? reader.from - 1 : await positionOf(ctx, after);
    if (last === null) {
      last = reader.from - 1;
      yield { resync: true, sequence: last };
    }
    for (let from = last + 1; from < reader.from;) {
      const slice = await readLog(ctx.app.pool, {
        companies: [ctx.companyId],
        from,
        to: reader.from,
        families,
        conversation,
        ...(contact ? { contact: contact() ?? nobody } : {}),
        limit: page,
      });
      if (from > 1 && from - 1 < slice.purged) {
        yield { resync: true, sequence: reader.from - 1 };
        break;
      }
      for (const entry of slice.entries) yield { entry };
      const end = slice.entries.at(-1);
      from = end && slice.entries.length === page ? end.sequence + 1 : reader.from;
    }
    for (;;) {
      const told = await reader.next();
      if (!told) return undefined;
      // A client may have received more than this process had handed out when it joined.
      if ('missed' in told || ('entry' in told && told.entry.sequence <= last)) continue;
      yield told;
    }
  } finally {
    reader.close();
  }
}

/** Null when the event is not known: never was, or is no longer kept. */
function positionOf(ctx: Context, after: string): Promise<number | null> {
  return isId(after) ? sequenceOf(ctx.app.pool, ctx.companyId, after) : Promise.resolve(Number(after));
}
