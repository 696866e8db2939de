import type { ServerResponse } from 'node:http';
import type { Budget } from '../platform/services.ts';

/** Headers that every response to a program carries (API document, "Limits"; decisions §0.11). */
export function setBudget(response: ServerResponse, budget: Budget): void {
  response.setHeader('X-RateLimit-Limit', budget.limit);
  response.setHeader('X-RateLimit-Remaining', budget.remaining);
  // The document has Retry-After on every response: 0 while there is budget left.
  response.setHeader('Retry-After', budget.remaining > 0 ? 0 : budget.resetSeconds);
}

export function setMode(response: ServerResponse, livemode: boolean): void {
  response.setHeader('X-Service-Mode', livemode ? 'live' : 'test');
}
