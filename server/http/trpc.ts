import { createExpressMiddleware } from '@trpc/server/adapters/express';
import { type NextFunction, type Request, type Response, Router } from 'express';
import type { App } from './app.ts';
import type { AppRouter } from '../app-router.ts';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import { identify } from './authenticate.ts';
import { readBody } from './body.ts';
import { tell } from './request-log.ts';
import { requestIdOf, sendError } from './responses.ts';
import { publicError } from '../platform/public-error.ts';
import { Replay } from '../platform/idempotency.ts';
import { appErrorOf } from '../platform/trpc.ts';

/** Operations in one batch; each counts as a request against the budget. */
const maximumBatch = 10;

/** The dashboard's surface: tRPC over HTTP, with its sessions, the same keys, budgets and errors. */
export function trpcHandler(app: App, router: AppRouter): Router {
  const routes = Router();
  routes.use((request: Request, response: Response, next: NextFunction) => {
    admit(app, request, response).then(() => next(), next);
  });
  routes.use(
    createExpressMiddleware({
      router,
      createContext: ({ res }): Context => res.locals['ctx'] as Context,
      onError: ({ error, path, req }) => {
        if (req.res)
          tell(req.res, { error: appErrorOf(error), ...(path === undefined ? {} : { operation: path }) });
      },
    }),
  );
  routes.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const known = publicError(error, { log: app.log, requestId: requestIdOf(response) });
    if (!(known instanceof Replay)) sendError(response, known);
  });
  return routes;
}

async function admit(app: App, request: Request, response: Response): Promise<void> {
  // As tRPC reads the path: a batch that is written with %2C is a batch too.
  const names = decodeURIComponent(request.path).slice(1);
  const operations = names.split(',').length;
  tell(response, { operation: names, template: '/trpc' });
  const cost = Math.min(operations, maximumBatch);
  await identify(app, request, response, { cost, sessions: true });
  if (operations > maximumBatch)
    throw new AppError('bad_request', `A batch has at most ${maximumBatch} operations.`);
  if (request.method !== 'POST') return;
  // The one reader of bodies; tRPC's own is less strict. It asks for a content type where ours does not.
  request.body = (await readBody(request)).fields;
  request.headers['content-type'] = 'application/json';
}
