import type { Announcement } from './announce.ts';
import { AppError } from './errors.ts';
import type { LogEntry } from './event-log.ts';

/** What may wait for one reader: entries, and characters of their bodies, which all readers share. */
const most = { entries: 10_000, size: 8 * 1024 * 1024 } as const;

/** What a reader is told: an entry of the log, something transient, or that announcements may have been missed. */
export type Told = { entry: LogEntry } | { announcement: Announcement } | { missed: true };

/** A reader that fell behind by more than may wait for it. It can resume from the log. */
export class SlowReader extends AppError {
  constructor() {
    super('rate_limited', 'Reading too slowly; resume after the last event received.');
  }
}

/** One reader's place at the feed of a company: its entries in order, each once, and what is announced meanwhile. */
export class FeedReader {
  /** Entries from this sequence on come from here; all below are settled and in the log. */
  readonly from: number;
  readonly #wants: (told: Told) => boolean;
  readonly #leave: () => void;
  #waiting: Told[] = [];
  #size = 0;
  #wake: (() => void) | null = null;
  #state: 'open' | 'closed' | 'slow' = 'open';

  constructor(from: number, wants: (told: Told) => boolean, leave: () => void) {
    this.from = from;
    this.#wants = wants;
    this.#leave = leave;
  }

  /**
   * What comes next; null once closed.
   * @param patience milliseconds after which a caller who only wants to look again is told `missed`
   * @throws SlowReader when too much was waiting
   */
  async next(patience?: number): Promise<Told | null> {
    const timer =
      patience === undefined ? undefined : setTimeout(() => this.push({ missed: true }), patience);
    try {
      return await this.#take();
    } finally {
      clearTimeout(timer);
    }
  }

  async #take(): Promise<Told | null> {
    while (this.#state === 'open') {
      const told = this.#waiting.shift();
      if (told) {
        this.#size -= sizeOf(told);
        return told;
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    if (this.#state === 'slow') throw new SlowReader();
    return null;
  }

  push(told: Told): void {
    if (this.#state !== 'open' || !this.#wants(told)) return;
    this.#waiting.push(told);
    this.#size += sizeOf(told);
    const over = this.#waiting.length > most.entries || this.#size > most.size;
    // One entry may be larger than what may wait; alone it is not waiting.
    if (over && this.#waiting.length > 1) this.#end('slow');
    else this.#ring();
  }

  close(): void {
    if (this.#state === 'open') this.#end('closed');
  }

  #end(state: 'closed' | 'slow'): void {
    this.#state = state;
    this.#waiting = [];
    this.#size = 0;
    this.#leave();
    this.#ring();
  }

  #ring(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }
}

function sizeOf(told: Told): number {
  return 'entry' in told ? told.entry.size : 0;
}

/**
 * The readers of one company. Those who follow one conversation are found by it: among thousands of them each entry is for
 * a few.
 */
export class Readers {
  readonly #general = new Set<FeedReader>();
  readonly #following = new Map<string, Set<FeedReader>>();
  size = 0;

  add(reader: FeedReader, conversation: string | undefined): void {
    this.#setOf(conversation).add(reader);
    this.size++;
  }

  delete(reader: FeedReader, conversation: string | undefined): void {
    const readers = this.#setOf(conversation);
    if (readers.delete(reader)) this.size--;
    if (conversation !== undefined && readers.size === 0) this.#following.delete(conversation);
  }

  /** Whom something may concern. @param told what says that something was missed concerns all */
  *of(told: Told): Iterable<FeedReader> {
    if ('missed' in told) return yield* this.all();
    const { conversationId } =
      'entry' in told ? told.entry : { conversationId: told.announcement.conversation };
    yield* this.#general;
    if (conversationId !== null) yield* this.#following.get(conversationId) ?? [];
  }

  *all(): Iterable<FeedReader> {
    yield* this.#general;
    for (const readers of this.#following.values()) yield* readers;
  }

  #setOf(conversation: string | undefined): Set<FeedReader> {
    if (conversation === undefined) return this.#general;
    const readers = this.#following.get(conversation) ?? new Set();
    this.#following.set(conversation, readers);
    return readers;
  }
}
