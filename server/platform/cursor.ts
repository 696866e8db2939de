import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { invalidField } from './errors.ts';

/** Where a page ended. */
export interface Position {
  /** Sort value of the last row, as text. */
  value: string;
  id: string;
}

const Payload = z.strictObject({
  v: z.literal(1),
  s: z.string(),
  k: z.string(),
  i: z.string(),
});

const macBytes = 8;

/**
 * Opaque, authenticated cursors. The MAC covers the company, the list, its sort and its filters,
 * so a cursor is only good where it came from.
 */
export class Cursors {
  // Of bytes Node would make a key for every MAC, which costs seven times the MAC itself.
  readonly #secret: KeyObject;

  constructor(secret: Buffer) {
    this.#secret = createSecretKey(secret);
  }

  /** @param bound whatever the cursor is good for: company, list, filters */
  encode(position: Position, sort: string, bound: string): string {
    const payload = Buffer.from(JSON.stringify({ v: 1, s: sort, k: position.value, i: position.id }));
    return Buffer.concat([payload, this.#mac(payload, bound)]).toString('base64url');
  }

  /** @throws AppError `validation_failed` with param `cursor` for anything but an own, unchanged cursor */
  decode(cursor: string, sort: string, bound: string): Position {
    const bytes = /^[A-Za-z0-9_-]+$/.test(cursor) ? Buffer.from(cursor, 'base64url') : Buffer.alloc(0);
    // A second spelling of the same bytes (trailing bits of base64) is refused too.
    if (bytes.length <= macBytes || bytes.toString('base64url') !== cursor) throw malformed();
    const payload = bytes.subarray(0, -macBytes);
    if (!timingSafeEqual(bytes.subarray(-macBytes), this.#mac(payload, bound))) throw malformed();
    const { s, k, i } = Payload.parse(JSON.parse(payload.toString()));
    if (s !== sort) throw malformed();
    return { value: k, id: i };
  }

  #mac(payload: Buffer, bound: string): Buffer {
    return createHmac('sha256', this.#secret)
      .update(bound)
      .update('\0')
      .update(payload)
      .digest()
      .subarray(0, macBytes);
  }
}

function malformed() {
  return invalidField(
    'cursor',
    'format',
    'Is malformed, or belongs to a list with other filters or another sort.',
  );
}
