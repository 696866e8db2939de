import { unreadTotal } from '../conversations/unread.ts';
import { announcementOf } from '../platform/announce.ts';
import type { FeedReader } from '../platform/feed-readers.ts';
import type { Services } from '../platform/services.ts';

/** Counters are told as absolute values, at most once in so many milliseconds. */
const pause = 1_000;

/** Keeps the counters of one company told while anybody wants them. */
class Counters {
  readonly #app: Services;
  readonly #companyId: string;
  #holders = 0;
  #reader: FeedReader | undefined;
  #timer: NodeJS.Timeout | undefined;
  #told: number | undefined;
  #lastAt = 0;

  constructor(app: Services, companyId: string) {
    this.#app = app;
    this.#companyId = companyId;
  }

  hold(): () => void {
    if (this.#holders++ === 0) this.#start();
    let held = true;
    return () => {
      if (held && --this.#holders === 0) this.#stop();
      held = false;
    };
  }

  #start(): void {
    this.#listen().catch((error: unknown) => this.#app.log.warn({ err: error }, 'counters not followed'));
  }

  async #listen(): Promise<void> {
    // Nothing ever waits in this reader: being asked whether it wants something is all it needs.
    this.#reader = await this.#app.feed.join(this.#companyId, (told) => {
      if ('entry' in told ? countedFamilies.has(told.entry.family) : 'missed' in told) this.#changed();
      return false;
    });
    if (this.#holders === 0) this.#stop();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#told = undefined;
    this.#reader?.close();
    this.#reader = undefined;
  }

  /** Asks now, or when the pause is over: the last change of a burst is never left untold. */
  #changed(): void {
    if (this.#timer) return;
    const delay = Math.max(0, this.#lastAt + pause - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#lastAt = performance.now();
      this.#tell().catch((error: unknown) => this.#app.log.warn({ err: error }, 'counters not read'));
    }, delay).unref();
  }

  async #tell(): Promise<void> {
    const { text, values } = unreadTotal(this.#companyId);
    const { rows } = await this.#app.pool.query<{ total: number }>(text, values);
    const total = rows[0]?.total;
    if (total === undefined || total === this.#told || this.#holders === 0) return;
    this.#told = total;
    this.#app.feed.tell(
      announcementOf(this.#companyId, this.#app.clock.now(), {
        type: 'counters.updated',
        object: { total_unread: total },
      }),
    );
  }
}

const countedFamilies: ReadonlySet<string> = new Set(['conversation', 'message']);

const all = new WeakMap<Services, Map<string, Counters>>();

/** Lets `counters.updated` be told to the company's readers in this process until released. */
export function holdCounters(app: Services, companyId: string): () => void {
  const companies = all.get(app) ?? new Map<string, Counters>();
  all.set(app, companies);
  const counters = companies.get(companyId) ?? new Counters(app, companyId);
  companies.set(companyId, counters);
  return counters.hold();
}
