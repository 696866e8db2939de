import pg from 'pg';
import type { Log } from './log.ts';
import { hangUp, type PatientPool } from './pool.ts';

/** Between two looks, in milliseconds. */
const interval = 250;
/** Looks in a row without an answer after which the database hangs: 2 s, and 3 s while our connection opens. */
const patience = 8;
const openingPatience = 12;
/** Round trips of which the fastest counts: a process that was held up measures itself in some of them. */
const trips = 4;

/**
 * Tells a database that hangs from a query that takes long: on a connection of its own it asks for nothing, over and
 * over while others ask for something. Looks are counted, not time: a process that was held up itself counts none.
 */
export class Pulse {
  readonly #url: string;
  readonly #pool: PatientPool;
  readonly #log: Log;
  readonly #timer: NodeJS.Timeout;
  #client: pg.Client | undefined;
  #waiting = false;
  #missed = 0;
  #opening = false;
  #trips: number[] = [];

  constructor(url: string, pool: PatientPool, log: Log) {
    this.#url = url;
    this.#pool = pool;
    this.#log = log;
    this.#timer = setInterval(() => this.#look(), interval).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#drop();
  }

  #look(): void {
    if (this.#waiting) {
      if (++this.#missed >= (this.#opening ? openingPatience : patience)) this.#hangs();
    } else if (this.#pool.busy || this.#pool.hangs) {
      this.#missed = 0;
      this.#waiting = true;
      void this.#ask();
    } else this.#measured([]);
  }

  /** A refused or lost connection is an answer too: whoever asks now is told so without our help. */
  async #ask(): Promise<void> {
    const client = (this.#client ??= this.#open());
    const asked = performance.now();
    const opening = this.#opening;
    const answered = await client.query('SELECT 1').then(
      () => true,
      () => false,
    );
    // Given up meanwhile.
    if (client !== this.#client) return;
    if (!answered) this.#drop();
    else if (!opening) this.#measured([...this.#trips, performance.now() - asked].slice(-trips));
    this.#opening = false;
    this.#waiting = false;
    const hung = this.#pool.hangs;
    // A refusal ends a wait, but is no sign that whoever waits for a connection will be served.
    if (answered || hung) this.#pool.revive();
    if (hung) this.#log.warn('the database answers again');
  }

  #open(): pg.Client {
    const client = new pg.Client({ connectionString: this.#url, application_name: 'parlour-pulse' });
    // What goes wrong here goes wrong in the query that waits for it as well.
    client.on('error', () => {});
    client.connect().catch(() => {});
    this.#opening = true;
    return client;
  }

  #measured(found: number[]): void {
    this.#trips = found;
    this.#pool.roundTrip = found.length < trips ? 0 : Math.min(...found);
  }

  /** Its own connection is replaced too: the way of this one may be the only thing that is broken. */
  #hangs(): void {
    if (!this.#pool.hangs) this.#log.error('the database does not answer; what waits for it is refused');
    this.#pool.giveUp();
    this.#drop();
    this.#waiting = false;
  }

  #drop(): void {
    const client = this.#client;
    this.#client = undefined;
    if (client) hangUp(client);
  }
}
