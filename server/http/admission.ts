import { AppError } from '../platform/errors.ts';
import type { App } from './app.ts';

/** Calls that may wait for a connection of this process; the next is refused. */
const maximumWaiting = 1_000;
/** So is everybody while the first in the queue waits longer than this, or the next is bound to, in milliseconds. */
const maximumWait = 5_000;

/**
 * Answers at once what would only wait: 500 with `Retry-After` while more asks for the database than it can answer,
 * or while it does not answer at all. What was let in is not given up for that.
 * @throws AppError `server_error`
 */
export function requireRoom({ pool, metrics }: App): void {
  const wait = Math.max(pool.longestWait, pool.shortestWait);
  const full = pool.queueLength >= maximumWaiting || wait > maximumWait;
  if (!pool.hangs && !full) return;
  metrics.refusedAtTheDoor();
  throw new AppError('server_error', undefined, { retryAfter: 1 });
}
