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

/** Busy slots without the time that a booking takes itself: where it moves to, that is free. */
export function withoutOwn(busy: readonly Busy[], own: Busy | null): Busy[] {
  if (!own) return [...busy];
  const [from, to] = [Date.parse(own.starts_at), Date.parse(own.ends_at)];
  return busy.flatMap((slot) => {
    const [start, end] = [Date.parse(slot.starts_at), Date.parse(slot.ends_at)];
    if (end <= from || start >= to) return [slot];
    const rest: Busy[] = [];
    if (start < from) rest.push({ starts_at: slot.starts_at, ends_at: own.starts_at });
    if (end > to) rest.push({ starts_at: own.ends_at, ends_at: slot.ends_at });
    return rest;
  });
}
