import express, { type Request, type Response, Router } from 'express';
import { AppError } from '../platform/errors.ts';
import type { App } from './app.ts';
import { sendError } from './responses.ts';

/** As long as our longest webhook, and a bit. */
const bodyLimit = 512 * 1024;

/** `POST /webhook-catcher/{company}/{token}`: the demo's own receiver of webhooks. */
export function webhookCatcherRouter(app: App): Router {
  const routes = Router({ caseSensitive: true, strict: true });
  routes.post(
    '/:company/:token',
    express.raw({ type: () => true, limit: bodyLimit, inflate: false }),
    (request: Request, response: Response) => {
      const { company, token } = request.params;
      const body: unknown = request.body;
      const kept = app.catcher?.take(String(company), String(token), {
        at: app.clock.now(),
        headers: headersOf(request),
        body: Buffer.isBuffer(body) ? body.toString() : '',
      });
      if (kept) response.status(200).type('text').send('Caught.\n');
      else sendError(response, new AppError('not_found', 'No such page.'));
    },
  );
  return routes;
}

function headersOf({ headers }: Request): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
