import { t } from '@lingui/core/macro';
import { faultText, refusalText } from '../language/api-errors.ts';
import type { DetailCode, ErrorCode } from '../../../schema/errors.ts';

interface FailureBody {
  code: ErrorCode;
  message: string;
  param: string | null;
  request_id: string;
  details?: { param: string | null; code: DetailCode; message: string; existing?: string }[];
}

/** What the server refused, or that it could not be reached; the same whatever carried the call. */
export class Failure extends Error {
  /** `offline` where no answer came. */
  readonly code: ErrorCode | 'offline';
  readonly param: string | null;
  readonly requestId: string | null;
  readonly details: readonly { param: string | null; message: string; existing?: string }[];
  /** Seconds to wait, where the server says so. */
  readonly retryAfter: number | null;

  constructor(body: FailureBody | null, retryAfter: number | null = null) {
    super(body ? messageOf(body) : t`The server does not answer. Check your connection, then try again.`);
    this.name = 'Failure';
    this.code = body?.code ?? 'offline';
    this.param = body?.param ?? null;
    this.requestId = body?.request_id ?? null;
    this.details = (body?.details ?? []).map((detail) => ({
      ...detail,
      message: faultText(detail.code, detail.message),
    }));
    this.retryAfter = retryAfter;
  }

  /** What is wrong with one field. */
  of(param: string): string | undefined {
    return (
      this.details.find((detail) => detail.param === param)?.message ??
      (this.param === param ? this.message : undefined)
    );
  }

  /** The record that has the value already, when that is what is wrong with a field. */
  existing(param: string): string | undefined {
    return this.details.find((detail) => detail.param === param)?.existing;
  }
}

/** The first field that is wrong says more than that one is. */
function messageOf({ code, message, details }: FailureBody): string {
  const [first] = details ?? [];
  return first?.message === message ? faultText(first.code, message) : refusalText(code, message);
}

/** Any thrown value as a failure. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof Error && error.cause instanceof Failure) return error.cause;
  const data: unknown =
    typeof error === 'object' && error !== null && 'data' in error ? error.data : undefined;
  if (typeof data === 'object' && data !== null && 'error' in data)
    return new Failure(data.error as FailureBody);
  return new Failure(null);
}

/** The failure that a response other than 2xx carries. */
export async function failureIn(response: Response): Promise<Failure> {
  const after = Number(response.headers.get('Retry-After'));
  try {
    const { error } = (await response.json()) as { error: FailureBody };
    return new Failure(typeof error.code === 'string' ? error : null, after > 0 ? after : null);
  } catch {
    return new Failure(null);
  }
}
