import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const HEALTHY_AFTER_MS = 60_000;

/**
 * Runs `config.webConcurrency` processes on one port and replaces those that die, after a pause that
 * doubles while they die young. Resolves when the first one listens.
 */
export async function runWorkers(
  config: Config,
  databaseUrl: string,
  log: Log,
): Promise<{ url: string; close: () => Promise<void> }> {
  const ready = Promise.withResolvers<string>();
  const exits = new Set<Promise<void>>();
  let stopping = false;
  let listening = false;
  let pauseMs = FIRST_PAUSE_MS;

  const replace = async (diedYoung: boolean): Promise<void> => {
    pauseMs = diedYoung ? Math.min(pauseMs * 2, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS;
    await sleep(pauseMs, undefined, { ref: false });
    if (!stopping) start();
  };

  const start = (): void => {
    const started = Date.now();
    const worker: Worker = cluster.fork({
      DATABASE_URL: config.pooledDatabaseUrl ?? databaseUrl,
      DEMO: config.demo ? '1' : '0',
    });
    worker.on('message', (message: { ready?: string }) => {
      if (!message.ready) return;
      listening = true;
      ready.resolve(message.ready);
    });
    const exited = Promise.withResolvers<void>();
    exits.add(exited.promise);
    worker.on('exit', (code, signal) => {
      exited.resolve();
      exits.delete(exited.promise);
      if (stopping) return;
      if (!listening) {
        ready.reject(
          new Error(`A server process ended before it listened (${signal ?? `exit code ${code}`}).`),
        );
        return;
      }
      log.error({ worker: worker.process.pid, code, signal }, 'A server process died; starting another.');
      void replace(Date.now() - started < HEALTHY_AFTER_MS);
    });
  };

  for (let count = 0; count < config.webConcurrency; count += 1) start();
  return {
    url: await ready.promise,
    async close() {
      stopping = true;
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
      await Promise.all(exits);
    },
  };
}
