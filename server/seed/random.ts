import { createHash } from 'node:crypto';

/** Reproducible randomness: the same seed gives the same numbers on every machine. Not for secrets. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #count = 1;

  /** sfc32 (Chris Doty-Humphrey, PractRand), started from the SHA-256 of the text. */
  constructor(seed: string) {
    const hash = createHash('sha256').update(seed).digest();
    this.#a = hash.readInt32LE(0);
    this.#b = hash.readInt32LE(4);
    this.#c = hash.readInt32LE(8);
    for (let round = 0; round < 12; round++) this.next();
  }

  /** 32 random bits. */
  next(): number {
    const sum = (this.#a + this.#b + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** A whole number from 0 to `limit` − 1. */
  below(limit: number): number {
    return Math.floor((this.next() / 0x1_0000_0000) * limit);
  }

  /** A whole number from `low` to `high`, both possible. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** True in `percent` of 100 cases. */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(from: readonly T[]): T {
    const chosen = from[this.below(from.length)];
    if (chosen === undefined) throw new Error('Nothing to pick from.');
    return chosen;
  }
}
