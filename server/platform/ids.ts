import { randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import { databaseTime } from './clock.ts';

/* The library would ask the system for each of its 16 random bytes by itself, which is dearer than all else here. */
const bytes = new Uint8Array(4_096);
let used = bytes.length;

function random(): number {
  if (used === bytes.length) {
    randomFillSync(bytes);
    used = 0;
  }
  return (bytes[used++] ?? 0) / 256;
}

const next = monotonicFactory(random);

/** A new public id: ULID, 26 upper-case Crockford characters, monotonic within this process. */
export function newId(): string {
  return next(databaseTime());
}

/** Whether a string can be an id at all. Anything else is unknown without asking the database. */
export function isId(value: string): boolean {
  return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(value);
}
