import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from './log.ts';

type Listener = (payload: string) => void;

/**
 * One LISTEN connection per process. Announcements are sent inside transactions, so only what was committed is
 * heard. A lost connection is made again; what was missed meanwhile is unknown, so listeners are told to start anew.
 */
export class Notifications {
  readonly #url: string;
  readonly #log: Log;
  readonly #listeners = new Map<string, Listener[]>();
  readonly #resets: (() => void)[] = [];
  #client: pg.Client | null = null;
  #closed = false;
  #generation = 0;

  constructor(url: string, log: Log) {
    this.#url = url;
    this.#log = log;
  }

  /** Whether announcements are heard right now. */
  get live(): boolean {
    return this.#client !== null;
  }

  /** Grows with every announcement and every reset: unchanged means that nothing was heard in between. */
  get generation(): number {
    return this.#generation;
  }

  on(channel: string, listener: Listener): void {
    const known = this.#listeners.get(channel);
    this.#listeners.set(channel, [...(known ?? []), listener]);
    // A connection that breaks meanwhile is made again, with every channel.
    if (!known) this.#client?.query(`LISTEN ${channel}`).catch(() => undefined);
  }

  onReset(listener: () => void): void {
    this.#resets.push(listener);
  }

  /** Listens to every channel that has a listener. */
  async start(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'parlour-listen',
      keepAlive: true,
    });
    client.on('notification', ({ channel, payload = '' }) => {
      this.#generation++;
      for (const listener of this.#listeners.get(channel) ?? []) listener(payload);
    });
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client));
    await client.connect();
    for (const channel of this.#listeners.keys()) await client.query(`LISTEN ${channel}`);
    this.#client = client;
    this.#reset();
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = this.#client;
    this.#client = null;
    await client?.end();
  }

  #reset(): void {
    this.#generation++;
    for (const listener of this.#resets) listener();
  }

  #lost(client: pg.Client, error?: Error): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#reset();
    this.#log.warn({ err: error }, 'notification connection lost');
    void this.#restart();
  }

  async #restart(): Promise<void> {
    for (let delay = 100; !this.#closed && !this.live; delay = Math.min(delay * 2, 5_000)) {
      await wait(delay, undefined, { ref: false });
      await this.start().catch((error: unknown) =>
        this.#log.warn({ err: error }, 'notification connection not back'),
      );
    }
  }
}
