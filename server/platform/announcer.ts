import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Notice } from './events.ts';
import type { Log } from './log.ts';
import { outliveConnections } from './pool.ts';

/** What goes in one statement, and what waits at most: what comes while there is so much is not told. */
const batch = 1_000;
const kept = 50_000;
/** After a failure, in milliseconds, doubling. */
const delays = { first: 50, most: 5_000 };

/**
 * Tells all processes what was committed, on a connection of its own and for many commits at once. Inside of each
 * transaction NOTIFY would hold a lock of the whole database until that transaction is on disk, and all would commit one
 * after another. A process that is killed takes with it what it has not told yet, so it is for wake-ups, whose readers look
 * unasked now and then as well, and for what is forgotten as soon as it is told.
 */
export class Announcer {
  readonly #pool: pg.Pool;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  #waiting: Notice[] = [];
  #dropped = 0;
  #running: Promise<void> | null = null;

  constructor(databaseUrl: string, log: Log) {
    this.#log = log;
    this.#pool = new pg.Pool({
      connectionString: databaseUrl,
      max: 1,
      query_timeout: 5_000,
      connectionTimeoutMillis: 3_000,
      application_name: 'parlour-announce',
      allowExitOnIdle: true,
    });
    outliveConnections(this.#pool);
    this.#pool.on('error', ({ message }) => log.debug({ reason: message }, 'idle connection lost'));
  }

  /** @param notices of a transaction that is committed, in order */
  tell(notices: readonly Notice[]): void {
    if (notices.length === 0) return;
    if (this.#waiting.length < kept) this.#waiting.push(...notices);
    else this.#dropped += notices.length;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  /** Tells what is left, if that succeeds at once. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#pool.end();
  }

  async #run(): Promise<void> {
    let failures = 0;
    // What else is committed in this turn of the event loop goes along.
    await turn();
    while (this.#waiting.length > 0) {
      const notices = this.#waiting.splice(0, batch);
      try {
        await this.#pool.query({
          name: 'announce',
          text: statement,
          values: [notices.map(({ channel }) => channel), notices.map(({ text }) => text)],
        });
        failures = 0;
        if (this.#dropped > 0) this.#log.warn({ notices: this.#dropped }, 'not announced');
        this.#dropped = 0;
      } catch (error) {
        this.#log.warn({ err: error, notices: notices.length }, 'not announced yet');
        this.#waiting.unshift(...notices);
        if (this.#stopping.signal.aborted) return;
        const pause = Math.min(delays.first * 2 ** Math.min(failures++, 10), delays.most);
        await wait(pause, undefined, { ref: false, signal: this.#stopping.signal }).catch(() => {});
      }
    }
  }
}

/** PostgreSQL itself leaves out what was told before in the same statement. */
const statement = `
  SELECT count(pg_notify(channel, text)) FROM unnest($1::text[], $2::text[]) AS given (channel, text)`;
