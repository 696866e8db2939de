import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import type { App } from './app.ts';
import type { HttpRequest, HttpResponse } from './exchange.ts';
import { AppError } from '../platform/errors.ts';
import { Replay } from '../platform/idempotency.ts';
import { newId } from '../platform/ids.ts';
import { publicError } from '../platform/public-error.ts';
import { setBudget, setMode } from './headers.ts';
import { requestIdOf, sendError } from './responses.ts';

/** A page that loads only what we serve ourselves. */
export const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    baseUri: ["'none'"],
    objectSrc: ["'none'"],
    frameAncestors: ["'none'"],
    formAction: ["'self'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    mediaSrc: ["'self'", 'blob:'],
    connectSrc: ["'self'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    fontSrc: ["'self'", 'data:'],
  },
};

/** What programs call, as opposed to pages and files. */
const surfaces = /^\/(api\/v1|graphql|trpc|auth|uploads|csv)(\/|$)/;

/** Headers of every response, whatever becomes of the request: security, request id, mode and budget. */
export function baseHeaders(app: App) {
  const security = securityHeaders();
  return (request: HttpRequest, response: HttpResponse): void => {
    response.setHeader('X-Request-Id', newId());
    if (surfaces.test(request.path)) {
      setMode(response, true);
      const { unauthenticatedPerMinute: limit } = app.config.rateLimit;
      setBudget(response, { allowed: true, limit, remaining: limit, resetSeconds: 60 });
      response.setHeader('Cache-Control', 'no-store');
    }
    for (const [name, value] of security) response.setHeader(name, value);
  };
}

/** What helmet sets, which is the same for every request: asked once, not in a chain of calls for each. */
function securityHeaders(): ReadonlyMap<string, string> {
  const secure = helmet({
    contentSecurityPolicy,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  });
  const headers = new Map<string, string>();
  const response = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader() {},
  };
  secure({} as Request, response as unknown as Response, () => {});
  return headers;
}

/** What no route answers. */
export function notFoundPage(_request: Request, response: Response): void {
  sendError(response, new AppError('not_found', 'No such page.'));
}

/** The last resort of Express: a fault before a router took over. */
export function lastResort(app: App) {
  return (error: unknown, _request: Request, response: Response, next: NextFunction): void => {
    if (response.headersSent) return next(error);
    const known = publicError(error, { log: app.log, requestId: requestIdOf(response) });
    if (!(known instanceof Replay)) sendError(response, known);
  };
}
