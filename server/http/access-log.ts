import type { Context } from '../platform/context.ts';
import type { App } from './app.ts';
import type { HttpRequest, HttpResponse } from './exchange.ts';

/**
 * One line a request at level `debug`, and `warn` for one the client gave up: ids and figures, no query, no body.
 * The route is a pattern or operation name, never a path with what somebody typed.
 */
export function accessLog(app: App) {
  return (request: HttpRequest, response: HttpResponse): void => {
    const start = performance.now();
    response.once('close', () => {
      if (response.writableFinished && !app.log.isLevelEnabled('debug')) return;
      const ctx = response.locals['ctx'] as Context | undefined;
      const route: unknown = response.locals['route'];
      const line = {
        request_id: response.getHeader('X-Request-Id'),
        company_id: ctx?.principal.account.id ?? null,
        key_id: ctx?.principal.id ?? null,
        method: request.method,
        route: typeof route === 'string' ? route : null,
        status: response.statusCode,
        ms: Math.round(performance.now() - start),
      };
      if (response.writableFinished) app.log.debug(line, 'request');
      else app.log.warn(line, 'request ended early');
    });
  };
}
