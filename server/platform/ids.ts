import { monotonicFactory } from 'ulid';

const next = monotonicFactory();

/** A new public id: ULID, 26 upper-case Crockford characters, monotonic within this process. */
export function newId(): string {
  return next();
}

/** Whether a string can be an id at all. Anything else is unknown without asking the database. */
export function isId(value: string): boolean {
  return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(value);
}
