import type { NextFunction, Request, Response } from 'express';
import type { App } from './app.ts';
import type { Principal } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import { setBudget, setMode } from './headers.ts';
import type { Budget } from './rate-limit.ts';

/**
 * Who calls? Without a valid key: 401 counted against the address, or 429 when that budget is gone.
 * With one: the key's own budget. Nothing of the body has been read yet.
 */
export function authenticated(app: App) {
  return (request: Request, response: Response, next: NextFunction): void => {
    identify(app, request, response).then(() => next(), next);
  };
}

/** @param cost operations that the request asks for */
export async function identify(app: App, request: Request, response: Response, cost = 1): Promise<void> {
  const principal = await app.keys.authenticate(request.headersDistinct['authorization'], request.ip);
  if (!principal) {
    await chargeAddress(app, request, response);
    throw new AppError('unauthenticated');
  }
  setMode(response, principal.livemode);
  response.locals['ctx'] = app.context(principal, String(response.getHeader('X-Request-Id')));
  await charge(app, response, principal, cost);
}

/** Counts `cost` operations against the caller's budget; 429 when it is gone. */
export async function charge(
  app: App,
  response: Response,
  principal: Principal,
  cost: number,
): Promise<void> {
  requireBudget(response, await app.limits.forPrincipal(principal, cost));
}

/** Counts one operation against the budget of those who are nobody yet; 429 when it is gone. */
export async function chargeAddress(app: App, request: Request, response: Response): Promise<void> {
  requireBudget(response, await app.limits.forAddress(request.ip));
}

function requireBudget(response: Response, budget: Budget): void {
  setBudget(response, budget);
  if (!budget.allowed) throw new AppError('rate_limited', undefined, { retryAfter: budget.resetSeconds });
}
