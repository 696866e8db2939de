import { TRPCError } from '@trpc/server';
import { databaseFault } from './database-errors.ts';
import { AppError, invalidField } from './errors.ts';
import { Replay } from './idempotency.ts';
import type { Log } from './log.ts';

/**
 * What may be told of any error, on every transport. Unknown ones become `server_error` with a fixed text;
 * their cause goes to the log, beside the request id. A replay passes through.
 */
export function publicError(error: unknown, at: { log: Log; requestId: string }): AppError | Replay {
  if (error instanceof AppError || error instanceof Replay) return error;
  if (error instanceof TRPCError && error.cause !== undefined) return publicError(error.cause, at);
  if (error instanceof URIError)
    return new AppError('bad_request', 'The path has a malformed percent sequence.');
  const fault = databaseFault(error);
  if (fault?.kind === 'error') return fault.error;
  if (fault?.kind === 'unique') return invalidField(fault.constraint, 'duplicate', 'Is already taken.');
  at.log.error({ err: error, request_id: at.requestId }, 'request failed');
  return new AppError('server_error', undefined, { cause: error, ...(fault ? { retryAfter: 1 } : {}) });
}
