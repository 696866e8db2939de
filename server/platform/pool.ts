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
 * When nothing is released for that long, the database hangs, and all that wait are told.
 */
export class PatientPool extends pg.Pool {
  readonly #patience: number;
  readonly #size: number;
  #leased = 0;
  #progress = performance.now();
  #timer: NodeJS.Timeout | undefined;
  readonly #waiting: Turn[] = [];

  /** @param config with `max` and `connectionTimeoutMillis` set; the latter is the patience as well */
  constructor(config: pg.PoolConfig & { max: number; connectionTimeoutMillis: number }) {
    super(config);
    this.#size = config.max;
    this.#patience = config.connectionTimeoutMillis;
    this.on('release', () => this.#free());
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
    const open = () => {
      this.#leased++;
      super.connect((error, client, release) => {
        if (!client) this.#free();
        callback(error, client, release);
      });
    };
    if (this.#leased < this.#size) open();
    else {
      this.#waiting.push({
        since: performance.now(),
        take: open,
        refuse: (error) => callback(error, undefined, () => {}),
      });
      this.#watch();
    }
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
        turn.refuse(new Error('timeout exceeded when trying to connect'));
      }
      if (this.#waiting.length > 0) this.#watch();
    }, this.#patience / 6);
  }
}
