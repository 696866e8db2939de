import { type Response, Router } from 'express';
import type { App } from './app.ts';
import { buildOf } from './build.ts';
import { pendingIn } from '../platform/migrate.ts';
import { version } from '../platform/version.ts';

/** A check that takes longer counts as failed, in milliseconds. */
const patience = 500;

/** Probes for whoever runs the process. No key, no budget. */
export function healthRouter(app: App): Router {
  const routes = Router();
  const looks: Looks = new Map();
  routes.get('/livez', (_request, response) => void response.json({ status: 'ok' }));
  routes.get('/version', (_request, response, next) => {
    // The commit is set by whoever builds an image.
    const commit = process.env['GIT_COMMIT'] ?? null;
    buildOf(app)
      .then(({ id, builtAt }) =>
        response.json({
          name: 'parlour',
          version,
          api: 'v1',
          commit,
          dashboard: id,
          built_at: builtAt,
          node: process.version,
        }),
      )
      .catch(next);
  });
  routes.get('/readyz', (_request, response, next) => {
    readiness(app, looks, response).catch(next);
  });
  routes.get('/metrics', (_request, response, next) => {
    app.metrics
      .render()
      .then(({ contentType, body }) => response.setHeader('Content-Type', contentType).end(body))
      .catch(next);
  });
  return routes;
}

/** Looks that have not ended, by name: a database that hangs is asked once, not once more by every probe. */
type Looks = Map<string, Promise<boolean>>;

async function readiness(app: App, looks: Looks, response: Response): Promise<void> {
  const timed = (name: string, check: () => Promise<boolean>) => look(looks, name, check);
  const checks = await Promise.all([
    timed('process', async () => app.ready),
    timed('database', async () => (await app.pool.query('SELECT 1')).rowCount === 1),
    timed('migrations', async () => (await pendingIn(app.pool)).length === 0),
    timed('queue', () => app.jobs.reachable()),
  ]);
  // Without room for files, or without Redis, all else works: a balancer must not take the process out for that.
  const { redis } = app;
  const lesser = await Promise.all([
    timed('storage', () => app.storage.hasRoom()),
    ...(redis ? [timed('redis', async () => redis.ready)] : []),
  ]);
  const ready = checks.every((check) => check.ok);
  const whole = lesser.every((check) => check.ok);
  const status = ready ? (whole ? 'ready' : 'degraded') : 'not ready';
  response.status(ready ? 200 : 503).json({ status, checks: [...checks, ...lesser] });
}

async function look(looks: Looks, name: string, check: () => Promise<boolean>) {
  const start = performance.now();
  const fresh = () =>
    check()
      .catch(() => false)
      .finally(() => looks.delete(name));
  const running = looks.get(name) ?? fresh();
  looks.set(name, running);
  const timeout = new Promise<boolean>((resolve) => setTimeout(resolve, patience, false).unref());
  const ok = await Promise.race([running, timeout]);
  return { name, ok, ms: Math.round(performance.now() - start) };
}
