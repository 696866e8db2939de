import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Cursors } from '../../server/platform/cursor.ts';
import { AppError } from '../../server/platform/errors.ts';

const cursors = new Cursors(randomBytes(32));
const position = fc.record({ value: fc.string({ unit: 'grapheme' }), id: fc.string() });

function refused(run: () => unknown): boolean {
  try {
    run();
    return false;
  } catch (error) {
    return error instanceof AppError && error.code === 'validation_failed' && error.param === 'cursor';
  }
}

describe('cursors', () => {
  it('give back what they were made of', () => {
    fc.assert(
      fc.property(position, fc.string(), (at, bound) => {
        expect(cursors.decode(cursors.encode(at, 'name', bound), 'name', bound)).toEqual(at);
      }),
    );
  });

  it('are refused when a character was changed, added or taken, 10,000 times [P3]', () => {
    const good = cursors.encode(
      { value: '2026-01-01T00:00:00.000Z', id: '01JQZ7K3M9V5T2XH8C4B6N0DFG' },
      'created_at',
      'b',
    );
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const mutation = fc.tuple(
      fc.nat(good.length - 1),
      fc.constantFrom(...alphabet),
      fc.constantFrom(0, 1, 2),
    );
    fc.assert(
      fc.property(mutation, ([at, letter, kind]) => {
        const bad = good.slice(0, at) + (kind === 0 ? '' : letter) + good.slice(kind === 2 ? at : at + 1);
        return bad === good || refused(() => cursors.decode(bad, 'created_at', 'b'));
      }),
      { numRuns: 10_000 },
    );
  });

  it('are refused anywhere else: other filters, other sort, other secret, other text [P3]', () => {
    fc.assert(
      fc.property(position, fc.string(), fc.string(), (at, bound, other) => {
        const cursor = cursors.encode(at, 'name', bound);
        expect(refused(() => cursors.decode(cursor, 'created_at', bound))).toBe(true);
        expect(refused(() => new Cursors(randomBytes(32)).decode(cursor, 'name', bound))).toBe(true);
        if (other !== bound) expect(refused(() => cursors.decode(cursor, 'name', other))).toBe(true);
        expect(refused(() => cursors.decode(other, 'name', bound))).toBe(true);
      }),
    );
  });
});
