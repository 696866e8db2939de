import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { outliveConnections } from '../platform/pool.ts';
import type { Services } from '../platform/services.ts';
import type { InSpan } from '../platform/spans.ts';
import { WebhookClient } from './request.ts';
import { dispatch, readAnnouncement, webhooksChannel } from './dispatcher.ts';
import { secretsKey } from './secrets.ts';
import { Sender } from './sender.ts';

/** Where committed events are announced. */
const eventsChannel = 'parlour_events';

/**
 * In milliseconds: while a transaction that is still open holds events back, while nothing is announced, and from one pass to
 * the next while much is: a pass costs the same for one event and for a hundred.
 */
const delays = { lateFirst: 4, lateMost: 250, quiet: 1_000, failed: 500, between: 15 };

/** The pool waits for what `onConnect` promises, which its types do not say. */
type PoolSettings = Omit<pg.PoolConfig, 'onConnect'> & {
  onConnect(connection: pg.ClientBase): Promise<void>;
};

/** Starts what turns events into deliveries and sends them. Every process runs it; they share the work. */
export function startWebhooks(app: Services): () => Promise<void> {
  const { config, databaseUrl, log, clock, notifications } = app;
  const now = () => clock.now();
  // Its own connections, past a pooler since they carry a setting: neither requests nor deliveries wait for each other.
  const settings: PoolSettings = {
    connectionString: databaseUrl,
    max: 3,
    query_timeout: 10_000,
    connectionTimeoutMillis: 3_000,
    application_name: 'parlour-webhooks',
    // Everything here goes through an index. A plan that a connection made while the queue was short, that of a foreign
    // key's check among them, would read all of it for each row once it is long.
    onConnect: async (connection) => {
      await connection.query('SET enable_seqscan = off');
    },
  };
  const pool = new pg.Pool(settings);
  outliveConnections(pool);
  pool.on('error', ({ message }) => {
    if (!pool.ending) log.warn({ reason: message }, 'idle webhook connection lost');
  });
  const client = new WebhookClient({ ...config.webhooks, isOurs: (url) => app.catcher?.owns(url) ?? false });
  const sender = new Sender({
    app,
    pool,
    databaseUrl,
    client: traced(client, app.inSpan),
    key: secretsKey(config),
    log,
    now,
  });
  const dispatching = new Dispatching(pool, app);
  notifications.on(eventsChannel, dispatching.wake);
  notifications.on(webhooksChannel, (text) => {
    const announced = readAnnouncement(text);
    if ('changed' in announced) sender.changed(announced.changed);
    else sender.due(announced.due);
  });
  notifications.onReset(dispatching.wake);
  dispatching.wake();
  sender.start();
  return async () => {
    await dispatching.stop();
    await sender.stop();
    client.close();
    await pool.end();
  };
}

/** Every attempt is a span, with the event and the answer's status: addresses may hold secrets of the receiver. */
function traced(client: WebhookClient, inSpan: InSpan): Pick<WebhookClient, 'post'> {
  return {
    post(url, headers, body) {
      const facts = {
        'parlour.event_type': headers['X-Service-Event'] ?? '',
        'parlour.delivery_id': headers['X-Service-Delivery'] ?? '',
      };
      return inSpan({ name: 'webhook delivery', kind: 'client', facts }, async (tell) => {
        const outcome = await client.post(url, headers, body);
        const { status, error } = outcome;
        tell(status === null ? {} : { 'http.response.status_code': status }, error !== null);
        return outcome;
      });
    },
  };
}

/** Goes over the log whenever it is woken, one pass at a time, and now and then unasked. */
class Dispatching {
  readonly #pool: pg.Pool;
  readonly #app: Pick<Services, 'clock' | 'log'>;
  #running: Promise<void> | null = null;
  #again = false;
  #stopped = false;
  #late = delays.lateFirst;
  /** When the last pass began, by the monotonic clock, and whether it left something. */
  #since = -Infinity;
  #more = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: pg.Pool, app: Pick<Services, 'clock' | 'log'>) {
    this.#pool = pool;
    this.#app = app;
  }

  readonly wake = (): void => {
    this.#again = true;
    if (this.#stopped) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      // Woken between the last pass and here.
      if (this.#again) this.wake();
    });
  };

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#again && !this.#stopped) {
      const rest = this.#since + delays.between - performance.now();
      if (rest > 0 && !this.#more) await wait(rest);
      this.#since = performance.now();
      this.#again = false;
      try {
        await this.#pass();
      } catch (error) {
        this.#app.log.warn({ err: error }, 'events not dispatched');
        this.#again = true;
        await wait(delays.failed);
      }
    }
  }

  async #pass(): Promise<void> {
    const { more, late } = await dispatch(this.#pool, this.#app.clock.now());
    this.#more = more;
    this.#again ||= more;
    clearTimeout(this.#timer);
    if (!this.#stopped) this.#timer = setTimeout(this.wake, late ? this.#late : delays.quiet).unref();
    this.#late = late ? Math.min(this.#late * 2, delays.lateMost) : delays.lateFirst;
  }
}
