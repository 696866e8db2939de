import type { AppError } from './errors.ts';
import { conflict, invalidField } from './errors.ts';

/** What a database error means to the caller. */
export type DatabaseFault =
  | { kind: 'retry' }
  | { kind: 'unavailable' }
  | { kind: 'error'; error: AppError }
  | { kind: 'unique'; constraint: string };

/**
 * The one reading of what Prisma, its adapter and pg throw. SQLSTATEs are found wherever the layer at hand
 * hides them; a lost connection has none. Null for anything that is no database error.
 */
export function databaseFault(error: unknown): DatabaseFault | null {
  const { sqlState, prismaCode, constraint, text } = read(error);
  switch (sqlState) {
    case '40P01':
    case '40001':
      return { kind: 'retry' };
    case '23505':
      return { kind: 'unique', constraint };
    case '23P01':
      return { kind: 'error', error: conflict('That overlaps with another record.') };
    case '23503':
      return {
        kind: 'error',
        error: invalidField(constraint, 'unknown_id', 'Names a record that does not exist.'),
      };
    case '22021':
    case '22P05':
      return {
        kind: 'error',
        error: invalidField('', 'format', 'Must be valid Unicode text without U+0000.'),
      };
    case '55P03':
    case '57014':
    case '57P01':
    case '57P02':
    case '57P03':
    case '53300':
      return { kind: 'unavailable' };
    default:
  }
  switch (prismaCode) {
    case 'P2034':
      return { kind: 'retry' };
    case 'P2002':
      return { kind: 'unique', constraint };
    case 'P2003':
      return {
        kind: 'error',
        error: invalidField(constraint, 'unknown_id', 'Names a record that does not exist.'),
      };
    case 'P2024':
    case 'P2028':
    case 'P1001':
    case 'P1002':
    case 'P1008':
    case 'P1017':
      return { kind: 'unavailable' };
    default:
  }
  return connectionLost.test(text) ? { kind: 'unavailable' } : null;
}

const connectionLost =
  /ECONNREFUSED|ECONNRESET|EPIPE|Connection terminated|Query read timeout|timeout exceeded when trying to connect|Server has closed the connection|Can't reach database/i;

interface Reading {
  sqlState: string | undefined;
  prismaCode: string | undefined;
  constraint: string;
  text: string;
}

function read(error: unknown): Reading {
  const reading: Reading = { sqlState: undefined, prismaCode: undefined, constraint: '', text: '' };
  visit(error, reading, 0);
  return reading;
}

function visit(value: unknown, reading: Reading, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > 6) return;
  const field = (name: string): unknown => Reflect.get(value, name);
  const code = field('originalCode') ?? field('code');
  if (typeof code === 'string') {
    if (/^P\d{4}$/.test(code)) reading.prismaCode ??= code;
    else if (/^[0-9A-Z]{5}$/.test(code)) reading.sqlState ??= code;
    else reading.text += ` ${code}`;
  }
  const constraint = field('constraint') ?? field('target');
  if (typeof constraint === 'string') reading.constraint ||= constraint;
  else if (Array.isArray(constraint)) reading.constraint ||= constraint.join('_');
  else if (typeof constraint === 'object' && constraint !== null) {
    const named: unknown = Reflect.get(constraint, 'index') ?? Reflect.get(constraint, 'fields');
    reading.constraint ||= Array.isArray(named) ? named.join('_') : typeof named === 'string' ? named : '';
  }
  const message = field('message') ?? field('originalMessage');
  if (typeof message === 'string') {
    reading.text += ` ${message}`;
    const named = /constraint "([^"]+)"/.exec(message);
    if (named?.[1]) reading.constraint ||= named[1];
  }
  for (const inner of ['cause', 'meta', 'driverAdapterError']) visit(field(inner), reading, depth + 1);
}
