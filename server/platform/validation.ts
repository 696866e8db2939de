import { z } from 'zod';
import { type DetailCode, detailCodes } from '../../schema/errors.ts';
import { type AppError, type Detail, invalid } from './errors.ts';

type Issue = z.core.$ZodIssue;

/** Parses or throws `validation_failed` with one detail per failing field. */
export function parse<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (!result.success) throw validationError(result.error);
  return result.data;
}

/** Turns a zod error into the document's 422. */
export function validationError(error: z.core.$ZodError): AppError {
  const details = error.issues.flatMap((issue) => detailsOf(issue, []));
  const [first = { param: null, code: 'format', message: 'The request is invalid.' } satisfies Detail, ...rest] = details;
  return invalid(first, ...rest);
}

function detailsOf(issue: Issue, above: readonly PropertyKey[]): Detail[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const nearest = issue.errors.reduce((best, next) => (next.length < best.length ? next : best));
    return nearest.flatMap((inner) => detailsOf(inner, path));
  }
  const [code, message] = explain(issue);
  return [{ param: path.length === 0 ? null : path.map(String).join('.'), code, message }];
}

function explain(issue: Issue): [DetailCode, string] {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? ['required', 'Is required.']
        : ['type', `Must be ${article(issue.expected)} ${issue.expected}.`];
    case 'too_big':
      return ['max', `Must have at most ${issue.maximum}${unit(issue.origin)}.`];
    case 'too_small':
      return ['min', `Must have at least ${issue.minimum}${unit(issue.origin)}.`];
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

function detailCode(value: unknown): DetailCode {
  return detailCodes.find((code) => code === value) ?? 'format';
}

function unit(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' items' : '';
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? 'an' : 'a';
}
