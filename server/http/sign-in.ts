import { type NextFunction, type Request, type Response, Router } from 'express';
import { AppError } from '../platform/errors.ts';
import { Replay } from '../platform/idempotency.ts';
import { publicError } from '../platform/public-error.ts';
import type { SignInCall, SignInStep } from '../platform/sign-in-step.ts';
import { validationError } from '../platform/validation.ts';
import type { App } from './app.ts';
import { sessionOf } from './authenticate.ts';
import { readBody } from './body.ts';
import { requireOwnPage } from './origin.ts';
import { requestIdOf, sendError, sendJson } from './responses.ts';

/** What the doors into the dashboard are made of; the account domain provides it. */
export interface SignInDoors {
  /** What the sign-in page offers, told to everybody. */
  signInState(): Promise<unknown>;
  signInSteps: readonly SignInStep[];
}

/**
 * `/auth`: the ways into the dashboard and what keeps them safe. Each step is a POST of JSON from a page of ours;
 * tries at a secret are counted before they are made.
 */
export function signInRouter(app: App, { signInState, signInSteps }: SignInDoors): Router {
  const routes = Router({ caseSensitive: true, strict: true });
  routes.use((_request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    next();
  });
  routes.get('/state', (_request, response, next) => {
    signInState().then((data) => sendJson(response, 200, JSON.stringify({ data })), next);
  });
  for (const step of signInSteps) {
    routes.post(step.path, (request: Request, response: Response, next: NextFunction) => {
      take(app, step, request, response).catch(next);
    });
    routes.all(step.path, (request, response, next) => {
      response.setHeader('Allow', 'POST');
      next(new AppError('method_not_allowed', `${request.method} is not allowed here.`));
    });
  }
  routes.use((_request, _response, next) => next(new AppError('not_found', 'No such step.')));
  routes.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const known = publicError(error, { log: app.log, requestId: requestIdOf(response) });
    if (!(known instanceof Replay)) sendError(response, known);
  });
  return routes;
}

async function take(app: App, step: SignInStep, request: Request, response: Response): Promise<void> {
  requireOwnPage(app, request);
  const principal = step.session ? await sessionOf(app, request) : null;
  if (step.session && !principal) throw new AppError('unauthenticated', 'Sign in first.');
  const { fields } = await readBody(request);
  const parsed = step.input.safeParse(fields);
  if (!parsed.success) throw validationError(parsed.error, fields);
  const call: SignInCall = { headers: headersOf(request), principal, requestId: requestIdOf(response) };
  const { data, cookies = [] } = await counted(app, step, request, call, parsed.data);
  for (const cookie of cookies) response.appendHeader('Set-Cookie', cookie);
  sendJson(response, 200, JSON.stringify({ data }));
}

async function counted(
  app: App,
  step: SignInStep,
  { ip }: Request,
  call: SignInCall,
  input: Record<string, unknown>,
) {
  if (!step.guesses) return step.run(call, input);
  const account = step.guesses(input, call.principal)?.normalize('NFKC').trim().toLowerCase() ?? null;
  const attempt = { kind: step.forgiving === false ? 'request' : 'guess', account, address: ip } as const;
  const budget = await app.limits.beginAttempt(attempt);
  if (!budget.allowed) {
    const message = 'Too many tries. Wait a while, then try again.';
    throw new AppError('rate_limited', message, { retryAfter: budget.resetSeconds });
  }
  const answer = await step.run(call, input);
  if (step.forgiving !== false) await app.limits.forgiveAttempt(attempt);
  return answer;
}

/** All that the account domain sees of a request. */
function headersOf(request: Request): Headers {
  const { cookie, 'user-agent': agent } = request.headers;
  return new Headers({
    ...(cookie === undefined ? {} : { cookie }),
    ...(agent === undefined ? {} : { 'user-agent': agent.slice(0, 500) }),
    'x-client-address': request.ip ?? '',
  });
}
