import { createHash } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export type SeedKind =
  | 'tag'
  | 'channel'
  | 'contact'
  | 'identity'
  | 'product'
  | 'conversation'
  | 'entry'
  | 'feedback'
  | 'order';

/**
 * Ids of seeded records: ULIDs of the record's time, a hash of company, seed and kind (40 bits) and the record's
 * number (40 bits). The same seed gives the same ids, so a second run knows what is there already.
 */
export class SeedIds {
  readonly #scope: string;
  readonly #prefixes = new Map<string, string>();

  constructor(companyId: string, seed: string) {
    this.#scope = `${companyId}\n${seed}\n`;
  }

  /** @param index below 2^40 */
  id(kind: SeedKind, index: number, at: Date): string {
    let prefix = this.#prefixes.get(kind);
    if (prefix === undefined) {
      const hash = createHash('sha256')
        .update(this.#scope + kind)
        .digest();
      prefix = base32(hash.readUIntBE(0, 5), 8);
      this.#prefixes.set(kind, prefix);
    }
    return base32(at.getTime(), 10) + prefix + base32(index, 8);
  }
}

function base32(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32))
    text = alphabet[rest % 32] + text;
  return text;
}
