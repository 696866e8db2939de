import { createHash } from 'node:crypto';
import path from 'node:path';
import { type NextFunction, type Request, type Response, Router } from 'express';
import { admission } from './admission.ts';
import type { App } from './app.ts';
import type { AppRouter } from '../app-router.ts';
import type { Context, IdempotencyRequest } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import { Replay } from '../platform/idempotency.ts';
import { authorize } from '../platform/operation.ts';
import { publicError } from '../platform/public-error.ts';
import type { Upload } from '../platform/upload.ts';
import { type ProcedureFacts, procedureFacts, type RestFacts, restPrefix } from '../platform/trpc.ts';
import { requireAccepted } from './accept.ts';
import { readBody, readBodyOrForm } from './body.ts';
import { readMultipart } from './multipart.ts';
import { coercionsOf, readQuery } from './query.ts';
import { requestIdOf, sendError, sendJson } from './responses.ts';
import { tell } from './request-log.ts';
import { authenticated } from './authenticate.ts';
import { idempotencyKey } from './idempotency-key.ts';

interface Route {
  name: string;
  rest: RestFacts;
  operation: ProcedureFacts['operation'];
  procedure: ProcedureFacts['answer'];
  /** Query parameters whose text stands for a number or boolean. */
  coerce: ReadonlyMap<string, 'number' | 'boolean'>;
}

/**
 * The public REST surface: one Express route for each tRPC procedure with REST facts, and nothing by hand.
 * Checks run in the documented order: 401, 429, 403, 409 (idempotency), 404, 422, 409 (state).
 */
export function restRouter(app: App, appRouter: AppRouter): Router {
  const api = Router({ caseSensitive: true, strict: true });
  api.use(admission(app));
  api.use(authenticated(app));
  const resources = new Map<string, Router>();
  const resourceOf = (path: string): Router => {
    const known = resources.get(nameIn(path));
    if (known) return known;
    const router = Router({ caseSensitive: true, strict: true });
    resources.set(nameIn(path), router);
    return router;
  };
  const allowed = new Map<string, Set<string>>();
  for (const route of routesOf(appRouter)) {
    const path = route.rest.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const methods = allowed.get(path) ?? new Set();
    allowed.set(path, methods.add(route.rest.method));
    if (route.rest.method === 'GET') methods.add('HEAD');
    // What a GET carries has no meaning, and nobody reads it.
    const read = route.rest.method === 'GET' ? noBody : readerOf(app, route.rest.body);
    resourceOf(path)[lower(route.rest.method)](
      path,
      (request: Request, response: Response, next: NextFunction) => {
        answer(route, read, request, response).catch(next);
      },
    );
  }
  for (const [path, methods] of allowed) {
    resourceOf(path).all(path, (request, response) => {
      response.setHeader('Allow', [...methods, 'OPTIONS'].join(', '));
      if (request.method === 'OPTIONS') response.status(204).end();
      else sendError(response, new AppError('method_not_allowed', `${request.method} is not allowed here.`));
    });
  }
  // One router for each resource: a list of all routes would be gone through for every request.
  api.use((request, response, next) => {
    const routes = resources.get(nameIn(request.path));
    if (routes) routes(request, response, next);
    else next();
  });
  const legacy = legacyPaths(appRouter);
  api.use((_request, _response, next) => next(new AppError('not_found', 'No such endpoint.')));
  api.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const known = publicError(error, { log: app.log, requestId: requestIdOf(response) });
    const shape = legacy.find(({ path }) => path.test(request.path))?.shape;
    if (!(known instanceof Replay)) sendError(response, known, shape);
  });
  return api;
}

/** Of the resource, which is the first part of a path below the prefix. */
function nameIn(path: string): string {
  return path.split('/', 2)[1] ?? '';
}

function readerOf(app: App, body: RestFacts['body']): BodyReader {
  if (body === 'multipart') return formReader(app);
  return body === 'json-or-form' ? readBodyOrForm : readBody;
}

/** Endpoints whose error bodies are supersets of the uniform one, by path: a 401 comes before any route. */
function legacyPaths(appRouter: AppRouter) {
  return routesOf(appRouter).flatMap(({ rest }) =>
    rest.legacy
      ? [{ path: new RegExp(`^${rest.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`), shape: rest.legacy }]
      : [],
  );
}

function routesOf(appRouter: AppRouter): Route[] {
  return procedureFacts(appRouter).flatMap(({ name, operation, answer: procedure, rest }) =>
    rest ? [{ name, rest, operation, procedure, coerce: coercionsOf(operation.input) }] : [],
  );
}

async function answer(route: Route, read: BodyReader, request: Request, response: Response): Promise<void> {
  const ctx = response.locals['ctx'] as Context;
  response.locals['route'] = route.name;
  tell(response, { operation: route.name, template: `${restPrefix}${route.rest.path}` });
  authorize(route.operation, ctx);
  requireAccepted(request, ['application/json']);
  const body = await read(request, response);
  try {
    await respond(route, body, request, response);
  } finally {
    await body.upload?.discard();
  }
}

async function respond(route: Route, body: Body, request: Request, response: Response): Promise<void> {
  const ctx = response.locals['ctx'] as Context;
  const headers: Record<string, string> = {};
  const idempotency = idempotencyOf(route, request, body, headers);
  // The request's own; a copy would make the logger that few requests need.
  const callCtx = Object.assign(ctx, { idempotency, headers });
  try {
    const input = { ...inputOf(route, request, body), ...pathIds(request) };
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

function setHeaders(response: Response, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

function serialize(rest: RestFacts, value: unknown, headers: Record<string, string>) {
  const status = rest.status ?? 200;
  return { status, headers, body: status === 204 ? '' : JSON.stringify(value) };
}

function inputOf(route: Route, request: Request, body: Body): object {
  return route.rest.method === 'GET' || route.rest.method === 'DELETE'
    ? readQuery(request.originalUrl, route.coerce)
    : body.fields;
}

interface Body {
  /** What the idempotency fingerprint is made of. */
  bytes: Buffer;
  fields: Record<string, unknown>;
  upload?: Upload | undefined;
}

type BodyReader = (request: Request, response: Response) => Promise<Body>;

const noBody: BodyReader = () => Promise.resolve({ bytes: Buffer.alloc(0), fields: {} });

function formReader({ config }: App): BodyReader {
  const options = { folder: path.join(config.dataDir, 'uploads'), maximum: config.mediaMaxBytes };
  return (request, response) => readMultipart(request, response, options);
}

function pathIds(request: Request): Record<string, string> {
  return request.params as Record<string, string>;
}

/** The key counts for writes, except where the document says there is no idempotency support. */
function idempotencyOf(
  route: Route,
  request: Request,
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

function lower(method: RestFacts['method']): 'get' | 'post' | 'patch' | 'put' | 'delete' {
  return method.toLowerCase() as 'get' | 'post' | 'patch' | 'put' | 'delete';
}
