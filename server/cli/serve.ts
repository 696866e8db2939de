import cluster from 'node:cluster';
import { flushCompileCache } from 'node:module';
import type { Config } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';
import { migrate } from '../platform/migrate.ts';
import { DRAIN_LIMIT_MS, onStop, type StopReason } from '../platform/shutdown.ts';
import { appKey } from '../realtime/signature.ts';
import { banner } from './banner.ts';
import { exitCode, type Cli, type CommandGroup } from './cli.ts';
import { prepareDemo } from './demo.ts';
import { runWorkers } from './workers.ts';
import { openDatabase } from './with-database.ts';

type Running = { url: string; close: (options: { graceMs: number }) => Promise<void> };

async function startApp(config: Config, databaseUrl: string, log: Log): Promise<Running> {
  // The whole application: loaded here, so that other commands start without it.
  const { createApp } = await import('../app.ts');
  // Now, and not at the end: who is killed leaves nothing to the next.
  flushCompileCache();
  const app = await createApp({ config, databaseUrl, log });
  const { url } = await app.listen();
  return { url, close: (options) => app.close(options) };
}

/* Listened for from the start: a wish to stop that comes while we start is kept until we can follow it. */
function wishToStop(): Promise<StopReason> {
  const { promise, resolve } = Promise.withResolvers<StopReason>();
  onStop(resolve);
  return promise;
}

/** Waits for the wish to stop, then stops in order; resolves to the exit code. */
async function untilStopped(
  wish: Promise<StopReason>,
  config: Config,
  log: Log,
  close: Running['close'],
): Promise<number> {
  const { signal, error } = await wish;
  if (error) log.fatal({ err: error }, 'Unhandled error; stopping.');
  else log.info({ signal }, 'Stopping.');
  const graceMs = signal === 'SIGTERM' ? config.shutdownGraceMs : 0;
  const giveUp = setTimeout(() => process.exit(exitCode.failure), graceMs + DRAIN_LIMIT_MS + 10_000);
  try {
    await close({ graceMs });
  } finally {
    clearTimeout(giveUp);
  }
  log.info('Stopped.');
  return error ? exitCode.failure : exitCode.ok;
}

/* One of several processes: the first one owns the database and has migrated it. */
async function serveAsWorker(config: Config, log: Log): Promise<number> {
  const wish = wishToStop();
  const { databaseUrl } = config;
  if (!databaseUrl) throw new Error('A worker was started without DATABASE_URL.');
  const app = await startApp(config, databaseUrl, log);
  process.send?.({ ready: app.url });
  return untilStopped(wish, config, log, app.close);
}

async function serve(cli: Cli): Promise<number> {
  const config = cli.config();
  const log = cli.log();
  const wish = wishToStop();
  const database = await openDatabase(config, log);
  try {
    const { applied } = await migrate({ databaseUrl: database.url, log: (message) => log.info(message) });
    if (applied.length > 0) log.info({ applied }, 'Migrated the database.');
    const demo = config.demo ? await prepareDemo({ config, databaseUrl: database.url, log }) : undefined;
    const app =
      config.webConcurrency > 1
        ? await runWorkers(config, database.url, log)
        : await startApp(config, database.url, log);
    cli.print({ url: app.url, demo: demo ?? null }, banner(app.url, demo, appKey(config.secrets)));
    return await untilStopped(wish, config, log, app.close);
  } finally {
    await database.close();
  }
}

export const serveCommand: CommandGroup = (program, cli) => {
  program
    .command('serve')
    .description('start the server')
    .action(async () => {
      cli.exitCode = cluster.isWorker ? await serveAsWorker(cli.config(), cli.log()) : await serve(cli);
    });
};
