import type { Booking } from './bookings-page.tsx';
import { wallTime } from './zone.ts';

/** Where a booking stands in a day: minutes after midnight, and which of how many lanes. */
export interface Placed {
  booking: Booking;
  from: number;
  to: number;
  lane: number;
  lanes: number;
}

/** The bookings of one day of a zone, cut at midnight, earliest first. */
export function placedOn(day: string, bookings: readonly Booking[], zone: string): Placed[] {
  return bookings
    .map((booking) => {
      const start = wallTime(new Date(booking.starts_at), zone);
      const end = wallTime(new Date(booking.ends_at), zone);
      const from = start.day < day ? 0 : start.minutes;
      const to = end.day > day ? 24 * 60 : end.minutes;
      const today = start.day <= day && end.day >= day && (to > 0 || start.day === day);
      return today ? { booking, from, to: Math.max(to, from + 15), lane: 0, lanes: 1 } : null;
    })
    .filter((one) => one !== null)
    .sort((one, other) => one.from - other.from);
}

/** Puts those that overlap beside each other. All that touch through others are equally wide. */
export function lanesOf(day: readonly Placed[]): Placed[] {
  const groups: Placed[][] = [];
  let end = -1;
  for (const one of day) {
    if (one.from >= end) groups.push([]);
    groups.at(-1)?.push(one);
    end = Math.max(end, one.to);
  }
  return groups.flatMap((group) => {
    const ends: number[] = [];
    const placed = group.map((one) => {
      const free = ends.findIndex((until) => until <= one.from);
      const lane = free === -1 ? ends.length : free;
      ends[lane] = one.to;
      return { ...one, lane };
    });
    return placed.map((one) => ({ ...one, lanes: ends.length }));
  });
}
