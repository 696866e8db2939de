import { expect, test } from 'vitest';
import { passwordProblem } from '../../schema/passwords.ts';
import { hashPassword, verifyPassword } from '../../server/account/password.ts';

test('a hash is a PHC string of Argon2id with the documented cost, salted anew each time', async () => {
  const [first, second] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(second).not.toBe(first);
  expect(await verifyPassword('correct horse', first)).toBe(true);
  expect(await verifyPassword('correct horse ', first)).toBe(false);
});

test('the same characters in another normal form are the same password', async () => {
  const stored = await hashPassword('caf\u00e9 caf\u00e9 caf\u00e9');
  expect(await verifyPassword('cafe\u0301 cafe\u0301 cafe\u0301', stored)).toBe(true);
});

test.each([
  ['nothing', ''],
  ['another algorithm', '$2b$10$abcdefghijklmnopqrstuv'],
  ['more memory than we spend', '$argon2id$v=19$m=999999,t=2,p=1$c29tZXNhbHQxMjM$AAAAAAAAAAAAAAAAAAAAAAAA'],
  ['no passes', '$argon2id$v=19$m=19456,t=0,p=1$c29tZXNhbHQxMjM$AAAAAAAAAAAAAAAAAAAAAAAA'],
])('a stored text that is no hash of ours never matches: %s', async (_, stored) => {
  expect(await verifyPassword('correct horse', stored)).toBe(false);
});

test.each([
  ['short', /at least 10/],
  ['🙂'.repeat(9), /at least 10/],
  ['x'.repeat(1_025), /at most 1024/],
  ['lone surrogate \ud800', /Unicode/],
])('%j is refused', async (password, problem) => {
  expect(passwordProblem(password)).toMatch(problem);
  await expect(hashPassword(password)).rejects.toThrow(RangeError);
});

test('twelve at once all get their turn', async () => {
  const stored = await hashPassword('correct horse');
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => verifyPassword(n % 2 ? 'wrong horse' : 'correct horse', stored)),
  );
  expect(answers).toEqual(Array.from({ length: 12 }, (_, n) => n % 2 === 0));
});
