import { expect, test } from 'vitest';
import { proofs, recorded, statements } from '../support/statements.ts';

test('each statement has a test that names it, or says why not', () => {
  const proven = proofs();
  const silent = statements.filter(({ id, tier, open }) => tier !== 'R' && !proven.has(id) && !open);
  expect(silent.map(({ id }) => id)).toEqual([]);
});

test('titles and recorded runs name statements that there are', () => {
  const known = new Set(statements.map(({ id }) => id));
  expect([...proofs().keys(), ...Object.keys(recorded)].filter((id) => !known.has(id))).toEqual([]);
  expect(known.size).toBe(statements.length);
});
