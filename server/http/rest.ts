import { createHash } from 'node:crypto';
import path from 'node:path';
import { requireRoom } from './admission.ts';
import type { App } from './app.ts';
import type { AppRouter } from '../app-router.ts';
import type { Context, IdempotencyRequest } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import { Replay } from '../platform/idempotency.ts';
import { authorize } from '../platform/operation.ts';
import { publicError } from '../platform/public-error.ts';
import { procedureFacts, type RestFacts, restPrefix } from '../platform/trpc.ts';
import { requireAccepted } from './accept.ts';
import { readBody, readBodyOrForm } from './body.ts';
import { readMultipart } from './multipart.ts';
import { coercionsOf, readQuery } from './query.ts';
import { requestIdOf, sendError, sendJson } from './responses.ts';
import { tell } from './request-log.ts';
import type { HttpRequest, HttpResponse } from './exchange.ts';
import { type Body, type BodyReader, type Route, Routes } from './routes.ts';
import { identify } from './authenticate.ts';
import { idempotencyKey } from './idempotency-key.ts';

/**
 * The public REST surface: one route for each tRPC procedure with REST facts, and nothing by hand.
 * Checks run in the documented order: 401, 429, 403, 409 (idempotency), 404, 422, 409 (state).
 */
export function restSurface(app: App, appRouter: AppRouter) {
  const routes = routesOf(app, appRouter);
  const legacy = legacyPaths(appRouter);
  return (request: HttpRequest, response: HttpResponse): void => {
    const path = request.path.slice(restPrefix.length);
    serve(app, routes, path, request, response).catch((error: unknown) => {
      // The client has a part of an answer already, and must not take it for a whole one.
      if (response.headersSent) return void response.destroy();
      const known = publicError(error, { log: app.log, requestId: requestIdOf(response) });
      const shape = legacy.find((one) => one.path.test(path))?.shape;
      if (!(known instanceof Replay)) sendError(response, known, shape);
    });
  };
}

async function serve(
  app: App,
  routes: Routes,
  path: string,
  request: HttpRequest,
  response: HttpResponse,
): Promise<void> {
  requireRoom(app);
  // Keys alone, but for what signs a page's realtime channels (decisions §9).
  const sessions = path === '/broadcasting/auth' && request.method === 'POST';
  await identify(app, request, response, { sessions });
  const found = routes.find(request.method ?? '', path);
  if (found) return answer(found.route, found.ids, request, response);
  const allowed = routes.methodsOf(path);
  if (allowed.length === 0) throw new AppError('not_found', 'No such endpoint.');
  response.setHeader('Allow', [...allowed, 'OPTIONS'].join(', '));
  if (request.method !== 'OPTIONS')
    throw new AppError('method_not_allowed', `${request.method} is not allowed here.`);
  sendJson(response, 204, '');
}

function readerOf(app: App, body: RestFacts['body']): BodyReader {
  if (body === 'multipart') return formReader(app);
  return body === 'json-or-form' ? readBodyOrForm : readBody;
}

/** Endpoints whose error bodies are supersets of the uniform one, by path: a 401 comes before any route. */
function legacyPaths(appRouter: AppRouter) {
  return procedureFacts(appRouter).flatMap(({ rest }) =>
    rest?.legacy
      ? [{ path: new RegExp(`^${rest.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`), shape: rest.legacy }]
      : [],
  );
}

function routesOf(app: App, appRouter: AppRouter): Routes {
  const routes = new Routes();
  for (const { name, operation, answer: procedure, rest } of procedureFacts(appRouter)) {
    if (!rest) continue;
    // What a GET carries has no meaning, and nobody reads it.
    const read = rest.method === 'GET' ? noBody : readerOf(app, rest.body);
    routes.add({ name, rest, operation, procedure, read, coerce: coercionsOf(operation.input) });
  }
  return routes;
}

async function answer(
  route: Route,
  ids: Record<string, string>,
  request: HttpRequest,
  response: HttpResponse,
): Promise<void> {
  const ctx = response.locals['ctx'] as Context;
  response.locals['route'] = route.name;
  tell(response, { operation: route.name, template: `${restPrefix}${route.rest.path}` });
  authorize(route.operation, ctx);
  requireAccepted(request, ['application/json']);
  const body = await route.read(request, response);
  try {
    await respond(route, ids, body, request, response);
  } finally {
    await body.upload?.discard();
  }
}

async function respond(
  route: Route,
  ids: Record<string, string>,
  body: Body,
  request: HttpRequest,
  response: HttpResponse,
): Promise<void> {
  const ctx = response.locals['ctx'] as Context;
  const headers: Record<string, string> = {};
  const idempotency = idempotencyOf(route, request, body, headers);
  // The request's own; a copy would make the logger that few requests need.
  const callCtx = Object.assign(ctx, { idempotency, headers });
  try {
    const input = { ...inputOf(route, request, body), ...ids };
    const value = await route.procedure(callCtx, input);
    const stored = idempotency?.response ?? serialize(route.rest, value, headers);
    setHeaders(response, stored.headers);
    sendJson(response, stored.status, stored.body);
  } catch (error) {
    const known = publicError(error, ctx);
    if (!(known instanceof Replay)) throw known;
    response.setHeader('Idempotency-Replayed', 'true');
    setHeaders(response, known.response.headers);
    sendJson(response, known.response.status, known.response.body);
  }
}

function setHeaders(response: HttpResponse, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

function serialize(rest: RestFacts, value: unknown, headers: Record<string, string>) {
  const status = rest.status ?? 200;
  return { status, headers, body: status === 204 ? '' : JSON.stringify(value) };
}

function inputOf(route: Route, request: HttpRequest, body: Body): object {
  return route.rest.method === 'GET' || route.rest.method === 'DELETE'
    ? readQuery(request.originalUrl, route.coerce)
    : body.fields;
}

const noBody: BodyReader = () => Promise.resolve({ bytes: Buffer.alloc(0), fields: {} });

function formReader({ config }: App): BodyReader {
  const options = { folder: path.join(config.dataDir, 'uploads'), maximum: config.mediaMaxBytes };
  return (request, response) => readMultipart(request, response, options);
}

/** The key counts for writes, except where the document says there is no idempotency support. */
function idempotencyOf(
  route: Route,
  request: HttpRequest,
  body: Body,
  headers: Record<string, string>,
): IdempotencyRequest | null {
  if (route.operation.kind === 'query' || route.rest.legacy === 'bookings') return null;
  const key = idempotencyKey(request);
  if (key === null) return null;
  const hash = createHash('sha256').update(`${request.method} ${request.originalUrl}\n`).update(body.bytes);
  return {
    key,
    fingerprint: hash.digest(),
    response: null,
    serialize: (value) => serialize(route.rest, value, headers),
  };
}
