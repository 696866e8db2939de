import { AsyncResource } from 'node:async_hooks';
import { Socket } from 'node:net';
import pg from 'pg';

type Release = Parameters<Parameters<pg.Pool['connect']>[0]>[2];
type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, release: Release) => void;

interface Turn {
  /** When it asked, in milliseconds of the monotonic clock. */
  since: number;
  take(): void;
  refuse(error: Error): void;
}

/**
 * A pool whose callers wait for a free connection as long as the others make progress. pg's own pool gives up
 * after the connect time-out, so that a burst on a busy machine fails although every query is answered.
 * When nothing is released for that long, and no {@link Pulse} says that the database answers all the same, it hangs,
 * and all that wait are told.
 */
export class PatientPool extends pg.Pool {
  readonly #patience: number;
  readonly #size: number;
  #leased = 0;
  #progress = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #hangs = false;
  /** What a statement that does nothing takes at present, in milliseconds; 0 while that is unknown. */
  roundTrip = 0;
  readonly #waiting: Turn[] = [];
  readonly #opening = new Set<{ refuse(): void }>();
  readonly #lent = new Set<pg.PoolClient>();

  /** @param config with `max` and `connectionTimeoutMillis` set; the latter is the patience as well */
  constructor(config: pg.PoolConfig & { max: number; connectionTimeoutMillis: number }) {
    super(config);
    this.#size = config.max;
    this.#patience = config.connectionTimeoutMillis;
    outliveConnections(this);
    this.on('release', (_error, client) => {
      this.#lent.delete(client);
      this.#free();
    });
  }

  /** Whether a connection is in use or waited for. */
  get busy(): boolean {
    return this.#leased > 0 || this.#waiting.length > 0;
  }

  /** Whether the database was said to hang, and has not answered since. */
  get hangs(): boolean {
    return this.#hangs;
  }

  /** How long the first in the queue has waited, in milliseconds. */
  get longestWait(): number {
    const [first] = this.#waiting;
    return first ? performance.now() - first.since : 0;
  }

  /** How long who asks now would wait if the others each had one statement that does nothing, in milliseconds. */
  get shortestWait(): number {
    return (this.#waiting.length / this.#size) * this.roundTrip;
  }

  /** Callers that wait for their turn; pg's own `waitingCount` knows only those that have it. */
  get queueLength(): number {
    return this.#waiting.length;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | void {
    if (!callback) {
      return new Promise((resolve, reject) => {
        this.connect((error, client) =>
          client ? resolve(client) : reject(error ?? new Error('No connection.')),
        );
      });
    }
    if (this.#hangs) return callback(unanswered(), undefined, () => {});
    const open = () => {
      this.#leased++;
      const opening = { refuse: () => callback(unanswered(), undefined, () => {}) };
      this.#opening.add(opening);
      const started = performance.now();
      const attempt = () => {
        const asked = performance.now();
        super.connect((error, client, release) => {
          const served = this.#progress > asked && performance.now() - started < openings * this.#patience;
          // It opens slowly while others are served: once more.
          if (error && slowToOpen.test(error.message) && served && this.#opening.has(opening))
            return attempt();
          const wanted = this.#opening.delete(opening);
          if (client) this.#lent.add(client);
          else this.#free();
          if (wanted) callback(error, client, release);
          else if (client) release();
        });
      };
      attempt();
    };
    if (this.#leased < this.#size) open();
    else {
      this.#waiting.push({
        since: performance.now(),
        // What it does then belongs to who waits, not to who makes room.
        take: AsyncResource.bind(open),
        refuse: (error) => callback(error, undefined, () => {}),
      });
      this.#watch();
    }
  }

  /**
   * The database answers nobody: who waits is told at once, what runs is given up with its connection, and until
   * `revive` nobody is let in. Whatever was in a transaction is rolled back, or was committed already.
   */
  giveUp(): void {
    this.#hangs = true;
    for (const turn of this.#waiting.splice(0)) turn.refuse(unanswered());
    for (const one of this.#opening) {
      this.#opening.delete(one);
      one.refuse();
    }
    for (const client of this.#lent) hangUp(client);
  }

  /** The database answers, if slowly: who waits may go on waiting, and who was refused may ask again. */
  revive(): void {
    this.#hangs = false;
    this.#progress = performance.now();
  }

  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | void {
    clearTimeout(this.#timer);
    for (const turn of this.#waiting.splice(0)) turn.refuse(new Error('The pool is closed.'));
    return callback ? super.end(callback) : super.end();
  }

  #free(): void {
    this.#leased--;
    this.#progress = performance.now();
    if (this.#leased < this.#size) this.#waiting.shift()?.take();
  }

  /** Looks after those that wait until none does. */
  #watch(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const now = performance.now();
      const late = this.#waiting.filter(
        ({ since }) => now - Math.max(since, this.#progress) >= this.#patience,
      );
      for (const turn of late) {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        turn.refuse(unanswered());
      }
      if (this.#waiting.length > 0) this.#watch();
    }, this.#patience / 6);
  }
}

/**
 * A connection that breaks while it is lent tells the query that runs on it; but it also emits an error, which ends
 * the process where nobody listens, as between two statements of a transaction.
 */
export function outliveConnections(pool: pg.Pool): void {
  pool.on('connect', (client) => client.on('error', () => {}));
}

/**
 * Past a pooler such as pgbouncer in transaction mode, a connection to the server is another's after each transaction:
 * what was prepared on it under a name is not there the next time.
 */
class NamelessClient extends pg.Client {
  override query: pg.Client['query'] = (...given: unknown[]) => {
    const [first, ...rest] = given;
    const named = typeof first === 'object' && first !== null && !('submit' in first) && 'name' in first;
    const asked = named ? { ...first, name: undefined } : first;
    return Reflect.apply(super.query, this, [asked, ...rest]);
  };
}

/** Where pools connect: to the pooler, if there is one, else to the server. */
export function pooled(
  { pooledDatabaseUrl }: { pooledDatabaseUrl: string | undefined },
  databaseUrl: string,
): Pick<pg.PoolConfig, 'connectionString' | 'Client'> & { connectionString: string } {
  return pooledDatabaseUrl === undefined
    ? { connectionString: databaseUrl }
    : { connectionString: pooledDatabaseUrl, Client: NamelessClient };
}

/** How often a connection is tried to be opened while others are served. */
const openings = 4;

/** pg's own texts for a connection that takes too long to open, and for one of its pool that is not free in time. */
const slowToOpen = /due to connection timeout|timeout exceeded when trying to connect/;

/** The same text as pg's own. */
function unanswered(): Error {
  return new Error('timeout exceeded when trying to connect');
}

/** Ends a connection without asking the server, so that the query that runs on it fails now. */
export function hangUp(client: pg.Client | pg.PoolClient): void {
  const connection: unknown = Reflect.get(client, 'connection');
  const stream: unknown = typeof connection === 'object' && connection && Reflect.get(connection, 'stream');
  if (stream instanceof Socket) stream.destroy();
}
