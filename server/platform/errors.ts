import { type DetailCode, type ErrorCode, errors, maxDetails } from '../../schema/errors.ts';

/** One failing field of a request, as `error.details` reports it. */
export interface Detail {
  /** Path of the field in dot form (`items.0.quantity`), or null when it concerns the whole request. */
  param: string | null;
  code: DetailCode;
  message: string;
  /** With `duplicate`: the id of the record that already has the value. */
  existing?: string;
}

interface Extra {
  param?: string | null;
  details?: Detail[];
  /** Whole seconds for the Retry-After header. */
  retryAfter?: number;
  cause?: unknown;
}

/**
 * The only error that services throw on purpose. Each transport has one mapper from it;
 * anything else that is thrown becomes `server_error` with a fixed text.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly param: string | null;
  readonly details: Detail[] | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string = errors[code].message, extra: Extra = {}) {
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause });
    this.name = 'AppError';
    this.code = code;
    this.param = extra.param ?? null;
    this.details = extra.details;
    this.retryAfter = extra.retryAfter;
  }

  get status(): number {
    return errors[this.code].status;
  }
}

/** 404: the record does not exist, or belongs to another company; the two look the same. */
export function notFound(): AppError {
  return new AppError('not_found');
}

export function forbidden(message?: string): AppError {
  return new AppError('forbidden', message);
}

/** 409: the state machine does not allow the step. */
export function conflict(message: string): AppError {
  return new AppError('conflict', message);
}

/** 422: at least one field is wrong. `param` is the first of them. */
export function invalid(...details: [Detail, ...Detail[]]): AppError {
  return new AppError('validation_failed', details[0].message, {
    param: details[0].param,
    details: details.slice(0, maxDetails),
  });
}

export function invalidField(param: string, code: DetailCode, message: string, existing?: string): AppError {
  return invalid({ param, code, message, ...(existing === undefined ? {} : { existing }) });
}

/** The public body of an error; the same fields on every transport. */
export function errorBody(error: AppError, requestId: string) {
  return {
    error: {
      type: errors[error.code].type,
      code: error.code,
      message: error.message,
      param: error.param,
      request_id: requestId,
      ...(error.code === 'validation_failed' ? { details: error.details ?? [] } : {}),
    },
  };
}
