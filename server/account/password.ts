import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import { passwordMaxLength, passwordProblem } from '../../schema/passwords.ts';

/** Argon2id as OWASP advises it: 19 MiB, two passes, one lane. Memory is in KiB. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const saltLength = 16;
/** Stored parameters above these are refused: a hash from elsewhere must not tie the server up. */
const ceiling = { memory: 262_144, passes: 10, parallelism: 4 };
/** A hash fills a core for a tenth of a second: one core stays for every other call, where there are two. */
const hashing = pLimit(Math.max(1, Math.min(4, availableParallelism() - 1)));

const derive = promisify(argon2);
const phc =
  /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d)\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

/**
 * Hashes a password with Argon2id into a PHC string (`$argon2id$v=19$m=19456,t=2,p=1$salt$hash`).
 * Takes about 0.1 s of a core; at most four run at once in a process, fewer on a small machine, and others wait.
 * @throws RangeError for a password that {@link passwordProblem} refuses
 */
export async function hashPassword(password: string): Promise<string> {
  const problem = passwordProblem(password);
  if (problem) throw new RangeError(problem);
  const salt = randomBytes(saltLength);
  const { memory, passes, parallelism } = cost;
  const hash = await digest(password, salt, cost);
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`;
}

/** Whether `password` is the one behind `stored`. False, never an error, for a stored text that is no hash. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [, m, t, p, salt, hash] = phc.exec(stored) ?? [];
  if (salt === undefined || hash === undefined || password.length > passwordMaxLength) return false;
  const [memory, passes, parallelism] = [Number(m), Number(t), Number(p)];
  const outside = memory > ceiling.memory || passes > ceiling.passes || parallelism > ceiling.parallelism;
  // Argon2 itself asks for 8 KiB a lane.
  if (outside || passes < 1 || parallelism < 1 || memory < 8 * parallelism) return false;
  const expected = Buffer.from(hash, 'base64');
  const tagLength = expected.length;
  const actual = await digest(password, Buffer.from(salt, 'base64'), {
    memory,
    passes,
    parallelism,
    tagLength,
  });
  return timingSafeEqual(actual, expected);
}

function digest(password: string, nonce: Buffer, parameters: typeof cost): Promise<Buffer> {
  // NFKC: the same password typed on another keyboard is the same bytes.
  const message = password.normalize('NFKC');
  return hashing(() => derive('argon2id', { message, nonce, ...parameters }));
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
