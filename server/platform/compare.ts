import { timingSafeEqual } from 'node:crypto';

/** Whether two texts or digests are the same, in a time that tells nothing of where they differ. */
export function sameSecret(given: string | Uint8Array, wanted: string | Uint8Array): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
