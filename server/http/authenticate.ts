import type { App } from './app.ts';
import type { Principal } from '../platform/context.ts';
import { requireOwnPage } from './origin.ts';
import { AppError } from '../platform/errors.ts';
import type { HttpRequest, HttpResponse } from './exchange.ts';
import { setBudget, setMode } from './headers.ts';
import type { Budget } from '../platform/services.ts';

interface Admission {
  /** Operations that the request asks for. */
  cost?: number;
  /** Whether the cookie of a dashboard session will do where there is no key. */
  sessions?: boolean;
  /** Whether a form with a file is awaited instead of JSON. */
  forms?: boolean;
  /** Whether a session's GraphQL key will do. */
  graphql?: boolean;
}

/**
 * Who calls? Without valid credentials: 401 counted against the address, or 429 when that budget is gone.
 * With them: the caller's own budget. Nothing of the body has been read yet.
 * @throws AppError `unauthenticated`, `rate_limited`, and for another site's page `forbidden` or `bad_request`
 */
export async function identify(
  app: App,
  request: HttpRequest,
  response: HttpResponse,
  { cost = 1, sessions = false, forms = false, graphql = false }: Admission = {},
): Promise<void> {
  const principal = await callerOf(app, request, { sessions, forms, graphql });
  if (!principal) {
    await chargeAddress(app, request, response);
    throw new AppError('unauthenticated', sessions ? 'Sign in, or send a valid API key.' : undefined);
  }
  setMode(response, principal.livemode);
  const ctx = app.context(principal, String(response.getHeader('X-Request-Id')));
  ctx.address = request.ip;
  response.locals['ctx'] = ctx;
  await charge(app, response, principal, cost);
}

async function callerOf(
  app: App,
  request: HttpRequest,
  { sessions, forms, graphql }: { sessions: boolean; forms: boolean; graphql: boolean },
): Promise<Principal | null> {
  const authorization = request.headersDistinct['authorization'];
  if (graphql && authorization !== undefined) return bearerOf(app, authorization, request);
  if (authorization !== undefined || !sessions)
    return app.keys.authenticate(authorization, request.ip, request.headers['user-agent']);
  return sessionOf(app, request, forms);
}

/** Who sends GraphQL with a key: an API key, or that of a session. */
export async function bearerOf(
  app: App,
  authorization: readonly string[] | undefined,
  { ip, headers }: Pick<HttpRequest, 'ip' | 'headers'>,
): Promise<Principal | null> {
  const principal = await app.keys.authenticate(authorization, ip, headers['user-agent']);
  return principal ?? app.sessions.byGraphqlKey(authorization);
}

/**
 * Whose session the cookie stands for. It acts in test mode where the page says `X-Service-Mode: test`.
 * @throws AppError when another site's page asks
 */
export async function sessionOf(app: App, request: HttpRequest, forms = false): Promise<Principal | null> {
  const test = request.headers['x-service-mode'] === 'test';
  const principal = await app.sessions.authenticate(request.headers.cookie, test ? 'test' : 'live');
  if (principal) requireOwnPage(app, request, forms ? 'multipart/form-data' : 'application/json');
  return principal;
}

/** Counts `cost` operations against the caller's budget; 429 when it is gone. */
export async function charge(
  app: App,
  response: HttpResponse,
  principal: Principal,
  cost: number,
): Promise<void> {
  requireBudget(response, await app.limits.forPrincipal(principal, cost));
}

/** Counts one operation against the budget of those who are nobody yet; 429 when it is gone. */
export async function chargeAddress(app: App, request: HttpRequest, response: HttpResponse): Promise<void> {
  requireBudget(response, await app.limits.forAddress(request.ip));
}

function requireBudget(response: HttpResponse, budget: Budget): void {
  setBudget(response, budget);
  if (!budget.allowed) throw new AppError('rate_limited', undefined, { retryAfter: budget.resetSeconds });
}
