import path from 'node:path';
import { type NextFunction, type Request, type Response, Router } from 'express';
import type { Context, Principal } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import { Replay } from '../platform/idempotency.ts';
import { publicError } from '../platform/public-error.ts';
import type { Upload } from '../platform/upload.ts';
import type { App } from './app.ts';
import { charge, chargeAddress } from './authenticate.ts';
import { readBody } from './body.ts';
import type { GraphqlEngine } from './graphql-engine.ts';
import { readMultipart } from './multipart.ts';
import { sameOrigin } from './origin.ts';
import { queryOf } from './query.ts';
import { requestIdOf, sendError, sendJson } from './responses.ts';
import { demoRouter } from './webchat-demo.ts';
import { widgetFile } from './webchat-widget.ts';

/** What visitors of a web page may ask for, by the id of a channel. */
export interface Webchat {
  engine: GraphqlEngine;
  /** Null: no such channel. `own`: the origin, when it is ours. */
  allows(channelId: string, origin: string | undefined, own: string): Promise<boolean | null>;
  appearance(channelId: string, languages: string): Promise<object>;
  start(channelId: string, body: unknown): Promise<object>;
  authenticate(channelId: string, headers: readonly string[] | undefined): Promise<Principal | null>;
  largestFile(channelId: string): Promise<number>;
  upload(ctx: Context, file: Upload | undefined): Promise<object>;
  demoChannel(): Promise<string | null>;
}

/** What a file counts of the visitor's budget. */
const fileCost = 10;

/** How long a browser may remember that it may ask, in seconds. */
const preflightSeconds = 600;

/**
 * The visitors' side, `/webchat`: the widget's script, and below `/webchat/{channel}` its appearance, sessions, files
 * and GraphQL. Pages of other sites may ask when the channel allows their origin; no cookie is ever involved.
 */
export function webchatRouter(app: App, webchat: Webchat): Router {
  const routes = Router({ caseSensitive: true, strict: true });
  const handle =
    (route: string, work: (request: Request, response: Response) => Promise<void>) =>
    (request: Request, response: Response, next: NextFunction): void => {
      response.locals['route'] = `webchat.${route}`;
      work(request, response).catch(next);
    };
  const folder = path.join(app.config.projectDir, 'web-client', 'dist', 'webchat');
  routes.get('/widget.js', handle('widget', widgetFile(path.join(folder, 'widget.js'))));
  if (app.config.demo) routes.use(demoRouter(() => webchat.demoChannel()));
  routes.use('/:channel', (request, response, next) => {
    admitPage(app, webchat, request, response).then((done) => (done ? undefined : next()), next);
  });
  routes.get(
    '/:channel/appearance',
    handle('appearance', async (request, response) => {
      response.setHeader('Cache-Control', 'no-cache');
      const languages = [queryOf(request).get('locale') ?? '', request.headers['accept-language'] ?? ''].join(
        ',',
      );
      sendData(response, 200, await webchat.appearance(channelOf(request), languages));
    }),
  );
  routes.post(
    '/:channel/session',
    handle('session', async (request, response) => {
      response.setHeader('Cache-Control', 'no-store');
      await chargeAddress(app, request, response);
      const { fields } = await readBody(request);
      sendData(response, 201, await webchat.start(channelOf(request), fields));
    }),
  );
  routes.post(
    '/:channel/media',
    handle('media', async (request, response) => {
      const ctx = await identifyVisitor(app, webchat, request, response, fileCost);
      const maximum = await webchat.largestFile(channelOf(request));
      const options = { folder: path.join(app.config.dataDir, 'uploads'), maximum };
      const { upload } = await readMultipart(request, response, options);
      try {
        sendData(response, 201, await webchat.upload(ctx, upload));
      } finally {
        await upload?.discard();
      }
    }),
  );
  routes.post(
    '/:channel/graphql',
    handle('graphql', async (request, response) => {
      response.setHeader('Cache-Control', 'no-store');
      const ctx = await identifyVisitor(app, webchat, request, response);
      await answer(app, webchat.engine, ctx, request, response);
    }),
  );
  routes.use((_request, _response, next) => next(new AppError('not_found', 'No such endpoint.')));
  routes.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    const known = publicError(error, { log: app.log, requestId: requestIdOf(response) });
    if (!(known instanceof Replay)) sendError(response, known);
  });
  return routes;
}

/**
 * 404 without such a channel, 403 for a page that it does not allow. Says so to any page that only looks, so that the
 * widget can tell its owner. @returns whether the request is answered: a preflight is
 */
async function admitPage(app: App, webchat: Webchat, request: Request, response: Response): Promise<boolean> {
  response.vary('Origin');
  const { origin } = request.headers;
  const looks = request.method === 'GET';
  if (origin !== undefined && looks) response.setHeader('Access-Control-Allow-Origin', origin);
  const own = origin !== undefined && sameOrigin(app, request) ? origin : '';
  const allowed = await webchat.allows(channelOf(request), origin, own);
  if (allowed === null) throw new AppError('not_found', 'No such channel.');
  // A browser names no origin when a page reads from its own server.
  if (!allowed && !(looks && origin === undefined))
    throw new AppError('forbidden', `The channel does not allow pages of ${origin ?? 'no origin'}.`);
  if (origin !== undefined) response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id');
  if (request.method !== 'OPTIONS') return false;
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST');
  response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type');
  response.setHeader('Access-Control-Max-Age', preflightSeconds);
  response.status(204).end();
  return true;
}

/** Who writes? 401 counted against the address, or 429; else the visitor's own budget. */
async function identifyVisitor(
  app: App,
  webchat: Webchat,
  request: Request,
  response: Response,
  cost = 1,
): Promise<Context> {
  const principal = await webchat.authenticate(channelOf(request), request.headersDistinct['authorization']);
  if (!principal) {
    await chargeAddress(app, request, response);
    throw new AppError('unauthenticated');
  }
  const ctx = app.context(principal, requestIdOf(response));
  response.locals['ctx'] = ctx;
  await charge(app, response, principal, cost);
  return ctx;
}

/** Queries and mutations; who follows comes by WebSocket. */
async function answer(
  app: App,
  engine: GraphqlEngine,
  ctx: Context,
  request: Request,
  response: Response,
): Promise<void> {
  const { fields } = await readBody(request);
  const prepared = engine.prepare(ctx, fields);
  if (!('cost' in prepared)) return sendJson(response, 400, JSON.stringify({ errors: prepared }));
  if (prepared.cost > 1) await charge(app, response, ctx.principal, prepared.cost - 1);
  const result = await engine.run(prepared);
  if (Symbol.asyncIterator in result) {
    await result[Symbol.asyncIterator]().return?.();
    throw new AppError('not_acceptable', 'Subscriptions come over WebSocket.');
  }
  sendJson(response, 200, JSON.stringify(result));
}

function sendData(response: Response, status: number, data: object): void {
  sendJson(response, status, JSON.stringify({ data }));
}

function channelOf(request: Request): string {
  return String(request.params['channel']);
}
