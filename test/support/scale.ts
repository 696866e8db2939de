/** `npm run faults` runs the figures in full; every other run takes the small ones. */
export const full = process.env['FAULTS'] === 'full';

export function scaled(small: number, whole: number): number {
  return full ? whole : small;
}
