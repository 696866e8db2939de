import type { Response } from 'express';
import type { Context } from '../platform/context.ts';
import { type AppError, errorBody } from '../platform/errors.ts';

export const jsonType = 'application/json; charset=utf-8';

/** Sends a body that is serialised already. */
export function sendJson(response: Response, status: number, body: string): void {
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
export function sendError(
  response: Response,
  error: AppError,
  legacy?: 'account' | 'bookings' | 'rating',
): void {
  const requestId = requestIdOf(response);
  if (error.retryAfter !== undefined) response.setHeader('Retry-After', error.retryAfter);
  sendJson(response, error.status, JSON.stringify(bodyOf(error, requestId, legacy)));
}

function bodyOf(error: AppError, requestId: string, legacy?: 'account' | 'bookings' | 'rating'): object {
  const uniform = errorBody(error, requestId);
  switch (legacy) {
    case 'account':
      return error.status === 401 ? { message: error.message, ...uniform } : uniform;
    case 'bookings':
      return { message: error.message, errors: messagesByField(error), ...uniform };
    case 'rating':
      return error.status === 422 ? { error: error.message } : uniform;
    default:
      return uniform;
  }
}

function messagesByField(error: AppError): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const { param, message } of error.details ?? []) (fields[param ?? 'request'] ??= []).push(message);
  return fields;
}

export function requestIdOf(response: Response): string {
  return (
    (response.locals['ctx'] as Context | undefined)?.requestId ?? String(response.getHeader('X-Request-Id'))
  );
}
