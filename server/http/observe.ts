import { accessLog } from './access-log.ts';
import type { App } from './app.ts';
import { baseHeaders } from './base.ts';
import type { HttpRequest, HttpResponse } from './exchange.ts';
import { requestLog } from './request-log.ts';

/** What comes before every surface: the trace, metrics, both logs and the headers that every answer has. */
export function observed(app: App) {
  const log = accessLog(app);
  const keep = requestLog(app);
  const setHeaders = baseHeaders(app);
  return (request: HttpRequest, response: HttpResponse, serve: () => void): void => {
    const begin = () => {
      app.metrics.observe(request, response);
      log(request, response);
      keep(request, response);
      setHeaders(request, response);
      serve();
    };
    if (app.tracing) app.tracing.observe(request, response, begin);
    else begin();
  };
}
