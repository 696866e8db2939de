import { z } from 'zod';
import { AppError } from '../platform/errors.ts';
import type { HttpRequest } from './exchange.ts';

/** Which query parameters stand for a number or a boolean, read off the input schema. */
export function coercionsOf(input: z.ZodObject): ReadonlyMap<string, 'number' | 'boolean'> {
  const found = new Map<string, 'number' | 'boolean'>();
  for (const [name, schema] of Object.entries(input.shape)) {
    const inner = unwrap(schema);
    if (inner instanceof z.ZodNumber) found.set(name, 'number');
    if (inner instanceof z.ZodBoolean) found.set(name, 'boolean');
  }
  return found;
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? unwrap(schema.unwrap())
    : schema;
}

/**
 * Query parameters as input fields. A number is `-?digits`, a flag exactly 1, 0, true or false; any other text
 * is left as it is and fails validation, as does a parameter given twice.
 */
export function readQuery(
  url: string,
  coerce: ReadonlyMap<string, 'number' | 'boolean'>,
): Record<string, unknown> {
  const start = url.indexOf('?');
  const fields = new Map<string, unknown>();
  if (start === -1) return {};
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const [name = '', ...rest] = pair.split('=');
    const key = decode(name);
    const value = convert(decode(rest.join('=')), coerce.get(key));
    fields.set(key, fields.has(key) ? [fields.get(key), value] : value);
  }
  return Object.fromEntries(fields);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    throw new AppError('bad_request', 'The query has a malformed percent sequence.');
  }
}

function convert(text: string, to: 'number' | 'boolean' | undefined): unknown {
  if (to === 'number' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (to === 'boolean' && /^(1|0|true|false)$/.test(text)) return text === '1' || text === 'true';
  return text;
}

/** Query parameters of what is no REST endpoint, as the sender wrote them. */
export function queryOf({ originalUrl }: Pick<HttpRequest, 'originalUrl'>): URLSearchParams {
  const start = originalUrl.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : originalUrl.slice(start + 1));
}
