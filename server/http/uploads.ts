import path from 'node:path';
import { type NextFunction, type Request, type Response, Router } from 'express';
import type { AppRouter } from '../app-router.ts';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import { Replay } from '../platform/idempotency.ts';
import { authorize } from '../platform/operation.ts';
import { publicError } from '../platform/public-error.ts';
import { createCallerFactory, procedureFacts } from '../platform/trpc.ts';
import type { App } from './app.ts';
import { identify } from './authenticate.ts';
import { readMultipart } from './multipart.ts';
import { requestIdOf, sendError, sendJson } from './responses.ts';

/**
 * `POST /uploads`: `media.upload` for pages of the dashboard, which tRPC can't carry. The same form and answer as
 * `POST /api/v1/media`. A form is what another site could send as well, so the page must set `X-Service-Mode`: no
 * site can set a header of its own on a request to another without being asked first, and we never agree.
 */
export function uploadsRouter(app: App, appRouter: AppRouter): Router {
  const callerOf = createCallerFactory(appRouter);
  const operation = procedureFacts(appRouter).find(({ name }) => name === 'media.upload')?.operation;
  if (!operation) throw new Error('There is no procedure media.upload.');
  const options = { folder: path.join(app.config.dataDir, 'uploads'), maximum: app.config.mediaMaxBytes };
  const routes = Router({ caseSensitive: true, strict: true });

  const receive = async (request: Request, response: Response): Promise<void> => {
    if (request.headers['x-service-mode'] === undefined)
      throw new AppError('forbidden', 'Send X-Service-Mode: live or test.');
    await identify(app, request, response, { sessions: true, forms: true });
    const ctx = response.locals['ctx'] as Context;
    authorize(operation, ctx);
    const form = await readMultipart(request, response, options);
    try {
      // The reader makes the file; everything else is checked by the procedure's own schema.
      const input = form.fields as Parameters<ReturnType<typeof callerOf>['media']['upload']>[0];
      const answer = await callerOf(ctx).media.upload(input);
      sendJson(response, 201, JSON.stringify(answer));
    } finally {
      await form.upload?.discard();
    }
  };

  routes.post('/', (request: Request, response: Response, next: NextFunction) => {
    receive(request, response).catch(next);
  });
  routes.use((_request, response, next) => {
    response.setHeader('Allow', 'POST');
    next(new AppError('method_not_allowed', 'Files are sent by POST.'));
  });
  routes.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const known = publicError(error, { log: app.log, requestId: requestIdOf(response) });
    if (!(known instanceof Replay)) sendError(response, known);
  });
  return routes;
}
