import { describe, expect, it } from 'vitest';
import { hashPassword, verifyPassword } from '../../server/account/password.ts';

describe('passwords', () => {
  it('are kept as argon2id with their own salt, and verified', async () => {
    const [first, second] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(first).not.toBe(second);
    expect(await verifyPassword('correct horse', first)).toBe(true);
    expect(await verifyPassword('wrong horse', first)).toBe(false);
  });
});
