import { setImmediate as breathe } from 'node:timers/promises';
import type { Pool } from 'pg';
import { announceChannel, type Announcement } from './announce.ts';
import { AppError } from './errors.ts';
import { eventsChannel } from './events.ts';
import { type LogSlice, readLog } from './event-log.ts';
import { FeedReader, Readers, type Told } from './feed-readers.ts';
import type { Log } from './log.ts';
import type { Notifications } from './notifications.ts';

const figures = {
  /** Entries in one read. */
  batch: 500,
  /** While a late committer holds entries back: looked again after so many milliseconds, doubling. */
  lateFirst: 4,
  lateMost: 250,
  /** While announcements are not heard, in milliseconds; and while they are: whoever committed may have been killed. */
  blind: 1_000,
  quiet: 5_000,
  /** After a failed read, in milliseconds, doubling. */
  failedFirst: 100,
  failedMost: 5_000,
  /** Entries handed out before the readers get their turn. */
  portion: 50,
} as const;

interface Joining {
  companyId: string;
  conversation: string | undefined;
  wants: (told: Told) => boolean;
  resolve: (reader: FeedReader) => void;
  reject: (error: unknown) => void;
}

/**
 * The one reader of the event log in this process. Woken by NOTIFY, it reads what is new for all companies that have
 * readers in one statement and hands it to them. Nothing is skipped: it never passes the horizon, and looks again
 * soon while a late committer holds entries back. Nothing is repeated: a reader joins between two reads.
 */
export class Feed {
  readonly #pool: Pool;
  readonly #notifications: Notifications;
  readonly #log: Log;
  readonly #readers = new Map<string, Readers>();
  readonly #listeners: ((announcement: Announcement | null) => void)[] = [];
  #joining: Joining[] = [];
  /** Entries below have been handed out. Without meaning while there are no readers. */
  #position = 0;
  #running = false;
  #again = false;
  #closed = false;
  #timer: NodeJS.Timeout | undefined;
  #lateDelay: number = figures.lateFirst;
  #failedDelay: number = figures.failedFirst;

  constructor(pool: Pool, notifications: Notifications, log: Log) {
    this.#pool = pool;
    this.#notifications = notifications;
    this.#log = log;
    notifications.on(eventsChannel, (companyId) => {
      if (this.#readers.has(companyId)) this.#kick();
    });
    notifications.on(announceChannel, (text) => this.#announced(text));
    notifications.onReset(() => {
      for (const companyId of this.#readers.keys()) this.#tell(companyId, { missed: true });
      for (const listener of this.#listeners) listener(null);
      this.#kick();
    });
  }

  /** Hears every announcement of every company; null: some may have been missed. */
  onAnnouncement(listener: (announcement: Announcement | null) => void): void {
    this.#listeners.push(listener);
  }

  /** Tells the readers of this process alone. */
  tell(announcement: Announcement): void {
    this.#tell(announcement.company, { announcement });
  }

  /** How many readers there are. */
  get size(): number {
    let size = 0;
    for (const readers of this.#readers.values()) size += readers.size;
    return size;
  }

  /**
   * Joins the feed of a company. The reader's `from` parts the log exactly: what is below is to be read from the
   * log, what is at or above comes from the reader.
   * @param wants what of it the reader is told
   * @param conversation the only one of which it wants to be told anything
   */
  join(companyId: string, wants: (told: Told) => boolean, conversation?: string): Promise<FeedReader> {
    return new Promise((resolve, reject) => {
      this.#joining.push({ companyId, conversation, wants, resolve, reject });
      this.#kick();
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const readers of this.#readers.values()) for (const reader of readers.all()) reader.close();
    for (const { reject } of this.#joining.splice(0)) reject(new AppError('server_error'));
  }

  #tell(companyId: string, told: Told): void {
    for (const reader of this.#readers.get(companyId)?.of(told) ?? []) reader.push(told);
  }

  #announced(text: string): void {
    // Only `announce` writes to this channel.
    const announcement = JSON.parse(text) as Announcement;
    this.tell(announcement);
    for (const listener of this.#listeners) listener(announcement);
  }

  #kick(): void {
    this.#again = true;
    if (!this.#running && !this.#closed) void this.#run();
  }

  async #run(): Promise<void> {
    this.#running = true;
    clearTimeout(this.#timer);
    while (this.#again && !this.#closed && (this.#readers.size > 0 || this.#joining.length > 0)) {
      this.#again = false;
      try {
        await this.#read();
        this.#failedDelay = figures.failedFirst;
      } catch (error) {
        this.#log.warn({ err: error }, 'event log not read');
        for (const { reject } of this.#joining.splice(0)) reject(error);
        this.#later(this.#failedDelay);
        this.#failedDelay = Math.min(this.#failedDelay * 2, figures.failedMost);
        break;
      }
    }
    this.#running = false;
  }

  async #read(): Promise<void> {
    const companies = [...this.#readers.keys()];
    const joining = this.#joining.splice(0);
    const read = { companies, from: this.#position, limit: figures.batch };
    let slice: LogSlice;
    try {
      slice = await readLog(this.#pool, read);
    } catch (error) {
      this.#joining.unshift(...joining);
      throw error;
    }
    for (const [index, entry] of slice.entries.entries()) {
      this.#tell(entry.companyId, { entry });
      if (index % figures.portion === figures.portion - 1) await breathe();
    }
    const last = slice.entries.at(-1);
    if (last && slice.entries.length === figures.batch) {
      this.#position = last.sequence + 1;
      this.#joining.unshift(...joining);
      this.#again = true;
      return;
    }
    this.#position = slice.horizon;
    for (const joiner of joining) this.#admit(joiner);
    if (slice.late) {
      this.#later(this.#lateDelay);
      this.#lateDelay = Math.min(this.#lateDelay * 2, figures.lateMost);
    } else {
      this.#lateDelay = figures.lateFirst;
      this.#later(this.#notifications.live ? figures.quiet : figures.blind);
    }
    // What a joiner's company has above the horizon was announced before it was here.
    if (joining.length > 0) this.#again = true;
  }

  #admit({ companyId, conversation, wants, resolve }: Joining): void {
    const readers = this.#readers.get(companyId) ?? new Readers();
    const reader: FeedReader = new FeedReader(this.#position, wants, () => {
      readers.delete(reader, conversation);
      if (readers.size === 0 && this.#readers.get(companyId) === readers) this.#readers.delete(companyId);
    });
    readers.add(reader, conversation);
    this.#readers.set(companyId, readers);
    resolve(reader);
  }

  #later(delay: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#kick(), delay).unref();
  }
}
