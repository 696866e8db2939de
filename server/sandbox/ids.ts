import { createHash } from 'node:crypto';
import { encodeTime } from 'ulid';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Gives the same id for the same name, time and live company, always. */
export type FixtureIds = (name: string, at: Date) => string;

/**
 * Ids that are a function of the live company's id: a valid ULID whose time part is the record's own time, so that
 * ids sort as times do, and whose random part is 80 bits of SHA-256.
 */
export function fixtureIds(liveCompanyId: string): FixtureIds {
  return (name, at) => {
    const hash = createHash('sha256').update(`${liveCompanyId}\n${name}`).digest();
    return encodeTime(at.getTime(), 10) + crockford(hash.subarray(0, 10));
  };
}

/** Ten bytes as sixteen characters of Crockford's base 32. */
function crockford(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet[(value >>> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return text;
}
