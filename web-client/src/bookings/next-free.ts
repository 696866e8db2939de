export interface Busy {
  starts_at: string;
  ends_at: string;
}

/** The first start at or after `from` with `minutes` of room before `to`; null when there is none. */
export function nextFree(busy: readonly Busy[], from: Date, minutes: number, to: Date): Date | null {
  const needed = minutes * 60_000;
  let start = from.getTime();
  for (const slot of busy) {
    if (Date.parse(slot.starts_at) - start >= needed) break;
    start = Math.max(start, Date.parse(slot.ends_at));
  }
  return start + needed <= to.getTime() ? new Date(start) : null;
}
