import type { IncomingMessage } from 'node:http';
import { AppError } from '../platform/errors.ts';
import type { App } from './app.ts';

/**
 * Whether a request comes from a page of ours, or from no page at all. Asked wherever credentials could have been
 * added by the browser and not by the page.
 */
export function sameOrigin(app: App, request: IncomingMessage): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const own = app.config.publicUrl;
  return own === undefined ? new URL(origin).host === host : new URL(origin).origin === new URL(own).origin;
}

/**
 * For requests whose credentials the browser added: they must come from a page of ours. Browsers say so in
 * Sec-Fetch-Site; those that don't name the page's origin. What writes must be JSON, which no form can send, unless the
 * route asks for something else.
 * @throws AppError `forbidden`, `bad_request`
 */
export function requireOwnPage(app: App, request: IncomingMessage, written = 'application/json'): void {
  const site = request.headers['sec-fetch-site'];
  const reads = request.method === 'GET' || request.method === 'HEAD';
  const own =
    site === undefined
      ? sameOrigin(app, request) && (reads || request.headers.origin !== undefined)
      : site === 'same-origin' || (reads && site === 'none');
  if (!own) throw new AppError('forbidden', 'This comes from another site.');
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  if (!reads && type.trim().toLowerCase() !== written)
    throw new AppError('bad_request', `Send it with Content-Type: ${written}.`);
}
