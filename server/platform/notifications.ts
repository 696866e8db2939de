import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from './log.ts';
import { type Relay, relayFigures } from './relay.ts';

type Listener = (payload: string) => void;

interface Relaying {
  relay: Relay;
  /** Channels that are heard from PostgreSQL all the same: what may not depend on anybody else. */
  direct: readonly string[];
}

/** Advisory lock of the one process that relays; any constant that no other lock of the database has. */
const relayLock = 7_034_001;

/**
 * One LISTEN connection per process. Announcements are sent inside transactions, so only what was committed is
 * heard. A lost connection is made again; what was missed meanwhile is unknown, so listeners are told to start anew.
 *
 * With Redis one process listens to everything and relays it, and the others listen to the direct channels alone. As
 * soon as they don't hear it they listen to everything themselves, until they hear it again.
 */
export class Notifications {
  readonly #url: string;
  readonly #log: Log;
  readonly #relaying: Relaying | null;
  readonly #listeners = new Map<string, Listener[]>();
  readonly #resets: (() => void)[] = [];
  readonly #losses: (() => void)[] = [];
  #client: pg.Client | null = null;
  #closed = false;
  #generation = 0;
  /** Where the channels that are not direct come from, and whether this process relays them. */
  #role: 'alone' | 'relays' | 'follows' = 'alone';
  #turning: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(url: string, log: Log, relaying: Relaying | null = null) {
    this.#url = url;
    this.#log = log;
    this.#relaying = relaying;
  }

  /** Whether announcements are heard right now. */
  get live(): boolean {
    return this.#client !== null;
  }

  /** Grows with every announcement and every reset: unchanged means that nothing was heard in between. */
  get generation(): number {
    return this.#generation;
  }

  /** `follows`: hears over Redis what another process relays. */
  get role(): 'alone' | 'relays' | 'follows' {
    return this.#role;
  }

  on(channel: string, listener: Listener): void {
    const known = this.#listeners.get(channel);
    this.#listeners.set(channel, [...(known ?? []), listener]);
    if (known || (this.#role === 'follows' && !this.#isDirect(channel))) return;
    // A connection that breaks meanwhile is made again, with every channel.
    this.#client?.query(`LISTEN ${channel}`).catch(() => undefined);
  }

  onReset(listener: () => void): void {
    this.#resets.push(listener);
  }

  /** Calls `listener` each time that the connection breaks. */
  onLost(listener: () => void): void {
    this.#losses.push(listener);
  }

  /** Listens to every channel that has a listener. */
  async start(): Promise<void> {
    await this.#connect();
    if (!this.#relaying) return;
    this.#relaying.relay.start(await this.#database(), {
      heard: (channel, payload) => {
        if (this.#role === 'follows') this.#tell(channel, payload);
      },
      missed: () => {
        if (this.#role === 'follows') this.#reset();
      },
      gone: () => this.#turn(),
    });
    this.#timer = setInterval(() => this.#turn(), relayFigures.beat).unref();
    this.#turn();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    const client = this.#client;
    this.#client = null;
    await client?.end();
    await this.#relaying?.relay.end();
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'parlour-listen',
      keepAlive: true,
    });
    client.on('notification', ({ channel, payload = '' }) => {
      if (this.#role === 'follows' && !this.#isDirect(channel)) return;
      if (this.#role === 'relays' && !this.#isDirect(channel)) this.#relaying?.relay.pass(channel, payload);
      this.#tell(channel, payload);
    });
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client));
    await client.connect();
    for (const channel of this.#listeners.keys()) await client.query(`LISTEN ${channel}`);
    this.#client = client;
    this.#reset();
  }

  /** What tells this database from any other whose processes may use the same Redis. */
  async #database(): Promise<string> {
    const answer = await this.#client?.query<{ id: string }>(
      `SELECT system_identifier || ':' || oid AS id
       FROM pg_control_system(), pg_database WHERE datname = current_database()`,
    );
    return answer?.rows[0]?.id ?? '';
  }

  #isDirect(channel: string): boolean {
    return this.#relaying?.direct.includes(channel) ?? true;
  }

  #tell(channel: string, payload: string): void {
    this.#generation++;
    for (const listener of this.#listeners.get(channel) ?? []) listener(payload);
  }

  #reset(): void {
    this.#generation++;
    for (const listener of this.#resets) listener();
  }

  /** Looks whether the role is still the right one, one look after the other. */
  #turn(): void {
    this.#turning = this.#turning
      .then(() => this.#look())
      .catch((error: unknown) => this.#log.debug({ err: error }, 'relay not looked after'));
  }

  async #look(): Promise<void> {
    const client = this.#client;
    const relay = this.#relaying?.relay;
    if (!client || !relay || this.#closed) return;
    if (this.#role === 'relays') {
      if (relay.ready) relay.beat();
      else await this.#resign(client, relay);
    } else if (relay.heard) {
      if (this.#role === 'alone') await this.#follow(client);
    } else {
      if (this.#role === 'follows') await this.#listenAlone(client);
      if (relay.ready) await this.#tryToRelay(client, relay);
    }
  }

  async #tryToRelay(client: pg.Client, relay: Relay): Promise<void> {
    const { rows } = await client.query<{ ours: boolean }>('SELECT pg_try_advisory_lock($1) AS ours', [
      relayLock,
    ]);
    if (!rows[0]?.ours || client !== this.#client) return;
    this.#role = 'relays';
    relay.begin();
  }

  /** Without Redis nobody hears us: another process may have a better connection. */
  async #resign(client: pg.Client, relay: Relay): Promise<void> {
    this.#role = 'alone';
    await relay.end();
    await client.query('SELECT pg_advisory_unlock($1)', [relayLock]);
  }

  async #follow(client: pg.Client): Promise<void> {
    this.#role = 'follows';
    for (const channel of this.#relayed()) await client.query(`UNLISTEN ${channel}`);
    // What came between the two ways was heard on neither.
    this.#reset();
  }

  async #listenAlone(client: pg.Client): Promise<void> {
    for (const channel of this.#relayed()) await client.query(`LISTEN ${channel}`);
    this.#role = 'alone';
    this.#reset();
  }

  #relayed(): string[] {
    return [...this.#listeners.keys()].filter((channel) => !this.#isDirect(channel));
  }

  #lost(client: pg.Client, error?: Error): void {
    if (this.#client !== client) return;
    this.#client = null;
    // The lock went with the connection, and a new one listens to everything.
    if (this.#role === 'relays') void this.#relaying?.relay.end();
    this.#role = 'alone';
    this.#reset();
    for (const listener of this.#losses) listener();
    this.#log.warn({ err: error }, 'notification connection lost');
    void this.#restart();
  }

  async #restart(): Promise<void> {
    for (let delay = 100; !this.#closed && !this.live; delay = Math.min(delay * 2, 5_000)) {
      await wait(delay, undefined, { ref: false });
      await this.#connect().catch((error: unknown) =>
        this.#log.warn({ err: error }, 'notification connection not back'),
      );
    }
  }
}
