import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';
import { AppError } from '../platform/errors.ts';

/**
 * Parameters of a media type, as in `application/json; charset=utf-8`, exclude nothing; only `q` does.
 * @throws AppError `not_acceptable` when `Accept` admits none of the types
 */
export function requireAccepted(request: IncomingMessage, types: string[]): void {
  const { accept } = request.headers;
  if (!accept || types.includes(accept)) return;
  request.headers.accept = accept.replaceAll(/;(?!\s*q\s*=)[^;,]*/gi, '');
  const admitted = new Negotiator(request).mediaTypes(types);
  if (admitted.length === 0) throw new AppError('not_acceptable');
}
