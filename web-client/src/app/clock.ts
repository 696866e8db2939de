let offset = 0;
/** Milliseconds by which the two may differ unnoticed: the server tells whole seconds, and answers take their time. */
const tolerance = 5_000;

/** Learns from an answer how far this computer's clock is from the server's. */
export function heardTime(headers: Headers): void {
  const difference = Date.parse(headers.get('date') ?? '') - Date.now();
  if (!Number.isNaN(difference)) offset = Math.abs(difference) > tolerance ? difference : 0;
}

/** Milliseconds since 1970 by the server's clock: moments of records are told by it, and a computer's may be wrong. */
export function serverNow(): number {
  return Date.now() + offset;
}
