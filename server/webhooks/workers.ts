import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Services } from '../platform/services.ts';
import { WebhookClient } from './request.ts';
import { dispatch, readAnnouncement, webhooksChannel } from './dispatcher.ts';
import { secretsKey } from './secrets.ts';
import { Sender } from './sender.ts';

/** Where committed events are announced. */
const eventsChannel = 'parlour_events';

/** In milliseconds: while a transaction that is still open holds events back, and while nothing is announced. */
const delays = { lateFirst: 4, lateMost: 250, quiet: 1_000, failed: 500 };

/** Starts what turns events into deliveries and sends them. Every process runs it; they share the work. */
export function startWebhooks(app: Services): () => Promise<void> {
  const { config, databaseUrl, log, clock, notifications } = app;
  const now = () => clock.now();
  // Its own connections: neither requests nor deliveries wait for each other.
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 3,
    query_timeout: 10_000,
    connectionTimeoutMillis: 3_000,
    application_name: 'parlour-webhooks',
  });
  pool.on('error', ({ message }) => {
    if (!pool.ending) log.warn({ reason: message }, 'idle webhook connection lost');
  });
  const client = new WebhookClient(config.webhooks);
  const sender = new Sender({ pool, databaseUrl, client, key: secretsKey(config), log, now });
  const dispatching = keepDispatching(pool, app);
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

/** Goes over the log whenever it is woken, one pass at a time, and now and then unasked. */
function keepDispatching(pool: pg.Pool, { clock, log }: Services) {
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  let late = delays.lateFirst;
  let timer: NodeJS.Timeout | undefined;

  const later = (delay: number) => {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(wake, delay).unref();
  };
  const run = async () => {
    clearTimeout(timer);
    while (again && !stopped) {
      again = false;
      try {
        const pass = await dispatch(pool, clock.now());
        again ||= pass.more;
        later(pass.late ? late : delays.quiet);
        late = pass.late ? Math.min(late * 2, delays.lateMost) : delays.lateFirst;
      } catch (error) {
        log.warn({ err: error }, 'events not dispatched');
        again = true;
        await wait(delays.failed);
      }
    }
  };
  const wake = () => {
    again = true;
    if (stopped) return;
    running ??= run().finally(() => {
      running = null;
      // Woken between the last pass and here.
      if (again) wake();
    });
  };
  const stop = async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
  return { wake, stop };
}
