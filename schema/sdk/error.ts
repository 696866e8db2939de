import type { Error as ErrorBody } from './generated/types.gen.ts';

export type ErrorCode = ErrorBody['error']['code'];

type Details = NonNullable<ErrorBody['error']['details']>;

/** What Parlour refused, or could not do. `code` never changes; `message` is for people and may. */
export class ParlourError extends Error {
  override readonly name = 'ParlourError';
  /** HTTP status. */
  readonly status: number;
  readonly code: ErrorCode;
  /** The first field that is wrong, in dot form such as `items.0.quantity`; null where it is none. */
  readonly param: string | null;
  /** Every field that is wrong; empty unless `code` is `validation_failed`. */
  readonly details: Details;
  /** To be quoted to whoever runs Parlour. */
  readonly requestId: string | null;

  constructor(
    status: number,
    { code, message, param, details, request_id: id }: Partial<ErrorBody['error']>,
  ) {
    super(message ?? `Parlour answered ${status}.`);
    this.status = status;
    this.code = code ?? (status >= 500 ? 'server_error' : 'bad_request');
    this.param = param ?? null;
    this.details = details ?? [];
    this.requestId = id ?? null;
  }
}

/** What is thrown for an answer; without one, such as after a broken connection, what `fetch` threw. */
export function errorOf(error: unknown, response: Response | undefined): unknown {
  if (!response || response.ok) return error;
  const body = (error as { error?: unknown } | null)?.error;
  // One endpoint answers a bad rating with `{error: "text"}`.
  if (typeof body === 'string')
    return new ParlourError(response.status, {
      code: 'validation_failed',
      message: body,
      request_id: response.headers.get('X-Request-Id') ?? undefined,
    });
  return new ParlourError(response.status, body ?? {});
}
