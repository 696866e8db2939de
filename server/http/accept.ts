import type { Request } from 'express';
import { AppError } from '../platform/errors.ts';

/**
 * Parameters of a media type, as in `application/json; charset=utf-8`, exclude nothing; only `q` does.
 * @throws AppError `not_acceptable` when `Accept` admits none of the types
 */
export function requireAccepted(request: Request, types: string[]): void {
  const { accept } = request.headers;
  if (accept !== undefined && types.includes(accept)) return;
  if (accept !== undefined) request.headers.accept = accept.replaceAll(/;(?!\s*q\s*=)[^;,]*/gi, '');
  if (request.accepts(types) === false) throw new AppError('not_acceptable');
}
