/**
 * The one table of errors: every code a client can meet, on every transport.
 * Codes are stable and never renamed; messages may change and are translated by code.
 * Source: API document, "Errors".
 */
export const errors = {
  bad_request: row('invalid_request_error', 400, 'BAD_REQUEST', 'The request could not be read.'),
  validation_failed: row('invalid_request_error', 422, 'UNPROCESSABLE_CONTENT', 'The request is invalid.'),
  unauthenticated: row('authentication_error', 401, 'UNAUTHORIZED', 'A valid API key is required.'),
  forbidden: row('authorization_error', 403, 'FORBIDDEN', 'This key may not do that.'),
  not_found: row('invalid_request_error', 404, 'NOT_FOUND', 'Not found.'),
  method_not_allowed: row('invalid_request_error', 405, 'METHOD_NOT_SUPPORTED', 'Method not allowed here.'),
  not_acceptable: row('invalid_request_error', 406, 'BAD_REQUEST', 'Only application/json is served here.'),
  conflict: row('idempotency_error', 409, 'CONFLICT', "The record's state does not allow that."),
  idempotency_conflict: row(
    'idempotency_error',
    409,
    'CONFLICT',
    'This Idempotency-Key was used with another request, or its first request is still running.',
  ),
  payload_too_large: row('invalid_request_error', 413, 'PAYLOAD_TOO_LARGE', 'The request body is too large.'),
  rate_limited: row('rate_limit_error', 429, 'TOO_MANY_REQUESTS', 'Too many requests.'),
  server_error: row('api_error', 500, 'INTERNAL_SERVER_ERROR', 'Something went wrong on our side.'),
} as const;

export type ErrorCode = keyof typeof errors;

/** Codes of one failing field; stable, `error.details[].code` (decisions §0.8). */
export const detailCodes = [
  'required',
  'type',
  'format',
  'min',
  'max',
  'enum',
  'unknown_id',
  'duplicate',
  'not_allowed',
  'insufficient_stock',
  'window_closed',
  'contact_blocked',
  'contact_unsubscribed',
  'channel_unavailable',
  'media_unsupported',
] as const;

export type DetailCode = (typeof detailCodes)[number];

/** At most this many entries are reported in `error.details`. */
export const maxDetails = 50;

function row<Type extends string, Status extends number, Trpc extends string>(
  type: Type,
  status: Status,
  trpc: Trpc,
  message: string,
) {
  return { type, status, trpc, message };
}
