import { GraphQLError } from 'graphql';
import type { DetailCode } from '../../schema/errors.ts';
import { AppError, type Detail, errorBody, invalid } from '../platform/errors.ts';
import { spell } from '../platform/graphql-input.ts';
import { publicError } from '../platform/public-error.ts';
import type { Log } from '../platform/log.ts';

/** Whose request it is, for the log and for `request_id`. */
interface At {
  log: Log;
  requestId: string;
}

/** Of validation, only what concerns a value is the caller's input; all else is a faulty document. */
export type Stage = 'document' | 'values';

/** What GraphQL itself refused, as one of the document's errors. */
export function refusal(error: GraphQLError, stage: Stage): AppError {
  if (stage === 'document') return new AppError('bad_request', error.message, { cause: error });
  return invalid({ param: pathIn(error) || null, code: codeIn(error.message), message: error.message });
}

/**
 * The one mapper of GraphQL: the document's code, param and details in `extensions`, the same texts as REST.
 * What nobody threw on purpose keeps its place in the answer and loses its text.
 */
export function graphqlError(error: unknown, at: At): GraphQLError {
  const place =
    error instanceof GraphQLError
      ? { nodes: error.nodes, path: error.path, source: error.source, positions: error.positions }
      : {};
  const known = meaningOf(error, at);
  return new GraphQLError(known.message, { ...place, extensions: extensionsOf(known, at.requestId) });
}

function meaningOf(error: unknown, at: At): AppError {
  if (error instanceof GraphQLError) {
    const { originalError } = error;
    // Arguments are read while the operation runs; such an error points at its argument, one of a scalar does not.
    if (originalError instanceof GraphQLError && originalError.nodes) return refusal(originalError, 'values');
    if (originalError) return meaningOf(originalError, at);
    if (!error.path) return refusal(error, 'values');
  }
  const known = publicError(error, at);
  return known instanceof AppError ? known : new AppError('server_error');
}

function extensionsOf(error: AppError, requestId: string) {
  const { details, param, code, request_id } = errorBody(error, requestId).error;
  return {
    code,
    param: spelt(param),
    request_id,
    ...(details ? { details: details.map(spellDetail) } : {}),
    ...(error.retryAfter === undefined ? {} : { retry_after: error.retryAfter }),
  };
}

/** The answer to a request that never became GraphQL: no `data`, one error. */
export function errorAnswer(error: AppError, requestId: string) {
  return { errors: [{ message: error.message, extensions: extensionsOf(error, requestId) }] };
}

function spellDetail(detail: Detail): Detail {
  return { ...detail, param: spelt(detail.param) };
}

function spelt(param: string | null): string | null {
  return param === null ? null : param.split('.').map(spell).join('.');
}

/**
 * The messages of graphql-js name the place: `"$input" got invalid value 5 at "input.contactIds[0]"`.
 * One about a literal does not; there the nearest argument or field around it is the place.
 */
function pathIn(error: GraphQLError): string {
  const { message } = error;
  const place =
    / at "([^"]+)"/.exec(message)?.[1] ??
    /(?:Argument|Field|Variable) "\$?([^"]+)"/.exec(message)?.[1] ??
    nameBefore(error);
  const path = place.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  return path.slice(path.length > 1 ? 1 : 0).join('.');
}

/** In `first: "x"` and `{contactIds: [null]}` the name whose value is at fault. */
function nameBefore({ source, positions }: GraphQLError): string {
  const at = positions?.[0] ?? 0;
  const before = source?.body.slice(Math.max(0, at - 200), at) ?? '';
  return /(\w+)\s*:[^:{}()]*$/.exec(before)?.[1] ?? '';
}

function codeIn(message: string): DetailCode {
  if (/ required | was not provided/.test(message)) return 'required';
  if (/ does not exist in .* enum/.test(message)) return 'enum';
  return 'type';
}
