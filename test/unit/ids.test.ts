import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { isId, newId } from '../../server/platform/ids.ts';

describe('a new id', () => {
  it('is one, and later than those before it', () => {
    const ids = Array.from({ length: 20_000 }, () => newId());
    expect(ids.every(isId)).toBe(true);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is random in every place, in another millisecond', async () => {
    const places = Array.from({ length: 16 }, () => new Set<string>());
    for (let count = 0; count < 300; count++) {
      await wait(1);
      const id = newId();
      for (const [place, signs] of places.entries()) signs.add(id.charAt(10 + place));
    }
    // Of 32 signs, 300 draws leave out hardly any.
    for (const signs of places) expect(signs.size).toBeGreaterThan(24);
  });
});
