import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '@redis/client';
import type { Config } from './config.ts';
import type { Log } from './log.ts';

/**
 * Looks without an answer after which there is none, and nobody asks again until Redis answers a ping: half a second.
 * Looks are counted, not time: a process that was held up itself counts none.
 */
const patience = 10;

/** In milliseconds. */
const figures = {
  /** Between two looks whether an answer has come. */
  look: 50,
  /** Between two pings while it does not answer. */
  pause: 250,
  /** The start of the house waits so long for the first connection; it goes on without. */
  start: 2_000,
  reconnectMost: 2_000,
} as const;

/**
 * Redis beside PostgreSQL: it keeps nothing that may not be lost. Whoever uses it goes on without when it fails, so
 * commands are refused at once while there is no connection, and given up after half a second.
 */
export class Redis {
  /** Goes before every key and channel: several installations may share one Redis. */
  readonly prefix: string;
  readonly #client;
  readonly #subscriber;
  readonly #log: Log;
  readonly #downs: (() => void)[] = [];
  #silent = false;
  #up = false;
  #closed = false;

  constructor(config: Pick<Config, 'secrets'>, url: string, log: Log) {
    const installation = createHash('sha256').update(config.secrets.derive('redis')).digest('base64url');
    this.prefix = `parlour:${installation.slice(0, 12)}:`;
    this.#log = log;
    this.#client = createClient({
      url,
      name: 'parlour',
      disableOfflineQueue: true,
      socket: {
        connectTimeout: figures.start,
        reconnectStrategy: (retries) => Math.min(100 * 2 ** Math.min(retries, 10), figures.reconnectMost),
      },
    });
    this.#subscriber = this.#client.duplicate({ name: 'parlour-subscriber', disableOfflineQueue: false });
    for (const client of [this.#client, this.#subscriber]) {
      // An error comes for each try to connect: the log has one line for each time that it goes or comes back.
      client.on('error', (error: Error) => this.#turned(false, error));
      client.on('ready', () => this.#turned(this.#client.isReady && this.#subscriber.isReady));
    }
  }

  /** Whether it is connected and answers. */
  get ready(): boolean {
    return !this.#silent && this.#client.isReady && this.#subscriber.isReady;
  }

  /** Calls `listener` each time that the connection is lost or answers no more. */
  onDown(listener: () => void): void {
    this.#downs.push(listener);
  }

  /** Commands of the rate limiter, which asks `isReady` before each. */
  get commands() {
    const client = this.#client;
    const ready = (): boolean => this.ready;
    return {
      get isReady() {
        return ready();
      },
      eval: (...args: Parameters<typeof client.eval>) => this.#within(client.eval(...args)),
      del: (key: string) => this.#within(client.del(key)),
      multi: () => {
        const multi = client.multi();
        const exec = multi.exec.bind(multi);
        return Object.assign(multi, {
          exec: (...args: Parameters<typeof exec>) => this.#within(exec(...args)),
        });
      },
    };
  }

  /** Sends to whoever subscribes to the channel, in the order of the calls; false when it was not sent. */
  async publish(channel: string, text: string): Promise<boolean> {
    return this.#within(this.#client.publish(this.prefix + channel, text)).then(
      () => true,
      () => false,
    );
  }

  /** Hears a channel from now on, also after a lost connection; what was sent meanwhile is lost. */
  subscribe(channel: string, listener: (text: string) => void): void {
    this.#subscriber.subscribe(this.prefix + channel, listener).catch((error: unknown) => {
      if (!this.#closed) this.#log.warn({ err: error }, 'redis channel not subscribed');
    });
  }

  /** Connects; resolves when it is connected, or after two seconds. */
  async start(): Promise<void> {
    const connected = Promise.all([this.#client.connect(), this.#subscriber.connect()]).catch(
      (error: unknown) => {
        if (!this.#closed) this.#turned(false, error);
      },
    );
    await Promise.race([connected, wait(figures.start, undefined, { ref: false })]);
  }

  close(): void {
    this.#closed = true;
    for (const client of [this.#client, this.#subscriber]) if (client.isOpen) client.destroy();
  }

  async #within<T>(answer: Promise<T>): Promise<T> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    let looks = 0;
    const timer = setTimeout(() => {
      if (++looks < patience) return void timer.refresh();
      reject(new Error('Redis does not answer.'));
      void this.#awaitAnswer();
    }, figures.look);
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
      // Given up: what comes of it later concerns nobody.
      answer.catch(() => {});
    }
  }

  async #awaitAnswer(): Promise<void> {
    if (this.#silent) return;
    this.#silent = true;
    this.#turned(false, new Error('Redis does not answer.'));
    while (!this.#closed) {
      const answered = await this.#client.ping().then(
        () => true,
        () => false,
      );
      if (answered) break;
      await wait(figures.pause, undefined, { ref: false });
    }
    this.#silent = false;
    this.#turned(this.#client.isReady && this.#subscriber.isReady);
  }

  #turned(up: boolean, error?: unknown): void {
    if (this.#closed || (up && this.#silent) || up === this.#up) return;
    this.#up = up;
    if (up) {
      this.#log.info('connected to redis');
      return;
    }
    this.#log.warn({ err: error }, 'redis lost; going on without it');
    for (const listener of this.#downs) listener();
  }
}
