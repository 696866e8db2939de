import type { IncomingMessage } from 'node:http';
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
