import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AppRouter } from '../app-router.ts';
import { restPrefix } from '../platform/trpc.ts';
import type { App } from './app.ts';
import { clientAddress } from './client-address.ts';
import { documentPaths } from './docs.ts';
import type { HttpRequest, HttpResponse } from './exchange.ts';
import { graphqlSurface } from './graphql.ts';
import { observed } from './observe.ts';
import { restSurface } from './rest.ts';

type Surface = (request: HttpRequest, response: HttpResponse) => void;

/**
 * REST and GraphQL, which programs call most, go past Express: to pass through its application costs a request as much
 * as to read a record by its id. Everything else is for `pages`.
 */
export function frontDoor(app: App, appRouter: AppRouter, pages: RequestListener): RequestListener {
  const rest = restSurface(app, appRouter);
  const graphql = graphqlSurface(app);
  const addressOf = clientAddress(app.config.trustProxy);
  const observe = observed(app);

  const surfaceOf = (path: string): Surface | null => {
    if (path.startsWith(`${restPrefix}/`)) return documentPaths.has(path) ? null : rest;
    if (path === '/graphql' || path === '/graphql/') return graphql;
    return path === restPrefix ? rest : null;
  };

  return (incoming, outgoing) => {
    const path = pathOf(incoming.url ?? '');
    const serve = surfaceOf(path);
    if (!serve) return pages(incoming, outgoing);
    const { request, response } = takenIn(incoming, outgoing, path, addressOf(incoming));
    observe(request, response, () => serve(request, response));
  };
}

/** With what Express would have added. */
function takenIn(incoming: IncomingMessage, outgoing: ServerResponse, path: string, ip: string) {
  const request = Object.assign(incoming, { originalUrl: incoming.url ?? '', path, ip });
  const response = Object.assign(outgoing, { locals: {} });
  return { request, response };
}

/** Without the query. A proxy may send the whole address (RFC 9112 §3.2.2). */
function pathOf(url: string): string {
  if (!url.startsWith('/')) return URL.canParse(url) ? new URL(url).pathname : url;
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
