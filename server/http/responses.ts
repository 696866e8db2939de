import type { Context } from '../platform/context.ts';
import type { AppError } from '../platform/errors.ts';
import type { RestFacts } from '../platform/trpc.ts';
import { errorLink } from './docs-errors.ts';
import { errorShape, shapedError } from './error-shapes.ts';
import type { HttpResponse } from './exchange.ts';
import { tell } from './request-log.ts';

export const jsonType = 'application/json; charset=utf-8';

/** Sends a body that is serialised already. */
export function sendJson(response: HttpResponse, status: number, body: string): void {
  response.statusCode = status;
  if (status === 204) {
    response.end();
    return;
  }
  response.setHeader('Content-Type', jsonType);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}

/** Sends the uniform error body, or the superset of it that a legacy endpoint declares. */
export function sendError(response: HttpResponse, error: AppError, legacy?: RestFacts['legacy']): void {
  const requestId = requestIdOf(response);
  tell(response, { error });
  const body = shapedError(errorShape(legacy, error.status), error, requestId);
  if (error.status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  if (error.retryAfter !== undefined) response.setHeader('Retry-After', error.retryAfter);
  response.setHeader('Link', errorLink(error.code));
  sendJson(response, error.status, JSON.stringify(body));
}

export function requestIdOf(response: HttpResponse): string {
  return (
    (response.locals['ctx'] as Context | undefined)?.requestId ?? String(response.getHeader('X-Request-Id'))
  );
}
