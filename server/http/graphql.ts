import type { ServerResponse } from 'node:http';
import { GraphQLError } from 'graphql';
import { createYoga, type YogaServerInstance } from 'graphql-yoga';
import { type ErrorCode, errors } from '../../schema/errors.ts';
import type { App } from './app.ts';
import { graphqlSchema } from '../graphql-schema.ts';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import { publicError } from '../platform/public-error.ts';
import { requireAccepted } from './accept.ts';
import { requireRoom } from './admission.ts';
import { charge, identify } from './authenticate.ts';
import { readBody } from './body.ts';
import { explorerPage } from './dashboard.ts';
import type { HttpRequest, HttpResponse } from './exchange.ts';
import { createEngine, type Answer, type GraphqlEngine } from './graphql-engine.ts';
import { errorAnswer, graphqlError } from './graphql-errors.ts';
import { type Prepared, readRequest } from './graphql-prepare.ts';
import { EventStreams } from './graphql-sse.ts';
import { tell } from './request-log.ts';
import { requestIdOf, sendJson } from './responses.ts';

/** The one engine of the process, behind HTTP and WebSocket. */
export const engine: GraphqlEngine = createEngine(graphqlSchema);

const mediaTypes = ['application/json', 'application/graphql-response+json', 'text/event-stream'];

/**
 * GraphQL over HTTP: POST of application/json with a bearer key or a session, and nothing else, so that no other site's form
 * or link can run anything. Checks in the documented order: 401, 429, then the request, then what it asks for.
 */
export function graphqlSurface(app: App) {
  const yoga = createCarrier(app);
  const streams = new EventStreams(app);
  return (request: HttpRequest, response: HttpResponse): void => {
    serve(app, yoga, streams, request, response).catch((error: unknown) => refuse(app, error, response));
  };
}

async function serve(
  app: App,
  yoga: Carrier,
  streams: EventStreams,
  request: HttpRequest,
  response: HttpResponse,
): Promise<void> {
  requireRoom(app);
  if (isVisit(request)) return redirect(response, explorerPage);
  await identify(app, request, response, { sessions: true, graphql: true });
  if (request.method !== 'POST') {
    response.setHeader('Allow', 'POST');
    throw new AppError('method_not_allowed', `${request.method} is not allowed here; send GraphQL by POST.`);
  }
  requireAccepted(request, mediaTypes);
  requireJson(request);
  const { fields } = await readBody(request);
  readRequest(fields);
  const ctx = response.locals['ctx'] as Context;
  const prepared = engine.prepare(ctx, fields);
  tell(response, 'cost' in prepared ? { operation: namesOf(prepared) } : told(prepared));
  if ('cost' in prepared && prepared.cost > 1) await charge(app, response, ctx.principal, prepared.cost - 1);
  const answer =
    'cost' in prepared
      ? await streams.guard(request, response, ctx, noted(response, engine.run(prepared)))
      : { errors: prepared.map(asRefused) };
  if (isPlain(request, answer)) return sendJson(response, 200, JSON.stringify(answer));
  const { query } = fields;
  await yoga(Object.assign(request, { body: { query } }), response, { answer: () => answer });
}

const plainTypes: ReadonlySet<string | undefined> = new Set([undefined, '*/*', 'application/json']);

/** An answer without errors to who takes JSON: there is no media type to choose, no status, and nothing to stream. */
function isPlain({ headers }: HttpRequest, answer: Answer): boolean {
  return plainTypes.has(headers.accept) && !(Symbol.asyncIterator in answer) && !answer.errors;
}

/** What is asked for: its own name, else the fields of the root. */
function namesOf({ operation }: Prepared): string {
  const fields = operation.selectionSet.selections.map((one) => ('name' in one ? one.name.value : '…'));
  return `${operation.operation} ${operation.name?.value ?? fields.join(', ')}`;
}

/** The first error of an answer, for the request log. */
function told(failures: readonly GraphQLError[] = []) {
  const { code, param } = failures[0]?.extensions ?? {};
  if (typeof code !== 'string' || !(code in errors)) return {};
  const known = code as ErrorCode;
  return {
    error: { code: known, param: typeof param === 'string' ? param : null, status: errors[known].status },
  };
}

async function noted(response: HttpResponse, running: Promise<Answer>): Promise<Answer> {
  const answer = await running;
  if (!(Symbol.asyncIterator in answer)) tell(response, told(answer.errors));
  return answer;
}

interface Carried {
  answer(): Answer;
}
type Carrier = YogaServerInstance<Carried, object>;

/** Yoga chooses media type and status, and streams; what it carries was made by the engine before. */
function createCarrier(app: App): Carrier {
  return createYoga<Carried>({
    schema: graphqlSchema,
    graphqlEndpoint: '/graphql',
    batching: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    logging: false,
    multipart: false,
    parserAndValidationCache: false,
    maskedErrors: { maskError: (error) => graphqlError(error, { log: app.log, requestId: '' }) },
    plugins: [
      {
        onParams: ({ setParamsHandler }) =>
          setParamsHandler(({ context }) => (context as unknown as Carried).answer()),
      },
    ],
  });
}

/** 400 where the caller accepts that of GraphQL; with plain application/json the status stays 200 by the book. */
function asRefused(error: GraphQLError): GraphQLError {
  const { nodes, source, positions, path } = error;
  const http = { status: 400, spec: true };
  return new GraphQLError(error.message, {
    nodes,
    source,
    positions,
    path,
    extensions: { ...error.extensions, http },
  });
}

function redirect(response: ServerResponse, to: string): void {
  response.writeHead(303, { Location: to }).end();
}

function refuse(app: App, error: unknown, response: HttpResponse): void {
  // The client has a part of an answer already, and must not take it for a whole one.
  if (response.headersSent) return void response.destroy();
  const requestId = requestIdOf(response);
  const known = publicError(error, { log: app.log, requestId });
  if (!(known instanceof AppError)) return;
  tell(response, { error: known });
  if (known.retryAfter !== undefined) response.setHeader('Retry-After', known.retryAfter);
  sendJson(response, known.status, JSON.stringify(errorAnswer(known, requestId)));
}

/** Forms and plain text are what a foreign page can send without asking; a missing type is one of them. */
function requireJson(request: HttpRequest): void {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() === 'application/json') return;
  throw new AppError('bad_request', 'Send GraphQL with Content-Type: application/json.');
}

/** A person who opened the address, asking nothing. */
function isVisit({ method, headers, originalUrl }: HttpRequest): boolean {
  return method === 'GET' && !originalUrl.includes('?') && (headers.accept ?? '').includes('text/html');
}
