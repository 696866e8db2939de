import type { z } from 'zod';
import { type DetailCode, detailCodes } from '../../schema/errors.ts';
import { type AppError, type Detail, invalid } from './errors.ts';

type Issue = z.core.$ZodIssue;

/**
 * Turns a zod error into the document's 422, with one detail per failing field.
 * @param input what was parsed: an issue does not say whether its field was absent or of the wrong type
 */
export function validationError(error: z.core.$ZodError, input: unknown): AppError {
  const details = error.issues.flatMap((issue) => detailsOf(issue, [], input));
  const [
    first = { param: null, code: 'format', message: 'The request is invalid.' } satisfies Detail,
    ...rest
  ] = details;
  return invalid(first, ...rest);
}

function detailsOf(issue: Issue, above: readonly PropertyKey[], input: unknown): Detail[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const nearest = issue.errors.reduce((best, next) => (next.length < best.length ? next : best));
    return nearest.flatMap((inner) => detailsOf(inner, path, input));
  }
  const [code, message] = explain(issue, valueAt(input, path));
  return [{ param: path.length === 0 ? null : path.map(String).join('.'), code, message }];
}

function explain(issue: Issue, value: unknown): [DetailCode, string] {
  if (value === undefined && issue.code !== 'custom') return ['required', 'Is required.'];
  switch (issue.code) {
    case 'invalid_type':
      return ['type', `Must be ${named(issue.expected)}.`];
    case 'too_big':
      return ['max', limit('at most', issue.maximum, issue.origin)];
    case 'too_small':
      return ['min', limit('at least', issue.minimum, issue.origin)];
    case 'invalid_value':
      return ['enum', `Must be one of ${issue.values.map(String).join(', ')}.`];
    case 'custom':
      return [detailCode(issue.params?.['detail']), issue.message];
    case 'unrecognized_keys':
      return ['not_allowed', issue.message];
    default:
      return ['format', 'Has the wrong format.'];
  }
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    input,
  );
}

function detailCode(value: unknown): DetailCode {
  return detailCodes.find((code) => code === value) ?? 'format';
}

const units: Readonly<Record<string, string>> = { string: 'character', array: 'item' };

function limit(bound: 'at least' | 'at most', value: number | bigint, origin: string): string {
  const unit = units[origin];
  if (!unit) return `Must be ${bound} ${value}.`;
  return `Must have ${bound} ${value} ${unit}${Number(value) === 1 ? '' : 's'}.`;
}

function named(type: string): string {
  const noun = type === 'int' ? 'integer' : type;
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}
