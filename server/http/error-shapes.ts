import type { AppError } from '../platform/errors.ts';
import { errorBody } from '../platform/errors.ts';
import type { RestFacts } from '../platform/trpc.ts';

/** Name of the schema that an error body has in the OpenAPI document. */
export type ErrorShape = 'Error' | 'AccountError' | 'BookingsError' | 'RatingError';

/** Which body an endpoint sends with an error status: the uniform one, or the one it declares for itself. */
export function errorShape(legacy: RestFacts['legacy'], status: number): ErrorShape {
  if (legacy === 'account' && status === 401) return 'AccountError';
  if (legacy === 'rating' && status === 422) return 'RatingError';
  return legacy === 'bookings' ? 'BookingsError' : 'Error';
}

/** The body of that shape. All but the rating's are supersets of the uniform one (decisions §0.9). */
export function shapedError(shape: ErrorShape, error: AppError, requestId: string): object {
  const uniform = errorBody(error, requestId);
  switch (shape) {
    case 'AccountError':
      return { message: error.message, ...uniform };
    case 'BookingsError':
      return { message: error.message, errors: messagesByField(error), ...uniform };
    case 'RatingError':
      return { error: error.message };
    default:
      return uniform;
  }
}

function messagesByField(error: AppError): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const { param, message } of error.details ?? []) (fields[param ?? 'request'] ??= []).push(message);
  return fields;
}
