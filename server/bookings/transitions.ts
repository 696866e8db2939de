import {
  activeStatuses,
  type BookingStatus,
  bookingTransitions,
  correctionDays,
} from '../../schema/bookings.ts';
import { conflict } from '../platform/errors.ts';
import type { BookingRow } from './rows.ts';

/** Whether a booking with this status keeps its slot. */
export function isActive(status: string): boolean {
  return activeStatuses.some((active) => active === status);
}

/**
 * Refuses a status that the table of decisions §3 does not allow now.
 * @param times of the booking as it will be
 * @throws AppError `conflict`
 */
export function requireTransition(
  before: BookingRow,
  to: BookingStatus,
  times: { startsAt: Date; endsAt: Date },
  now: Date,
): void {
  const from = before.status as BookingStatus;
  if (from === to) return;
  if (!bookingTransitions[from].includes(to))
    throw conflict(`A booking that is ${from} cannot become ${to}.`);
  if (to === 'cancelled' && now >= times.endsAt) throw conflict('The booking is over.');
  if (from === 'confirmed' && to !== 'cancelled' && now < times.startsAt)
    throw conflict('The booking has not started yet.');
  if (!isActive(from) && now > correctionEnd(before))
    throw conflict(`A closed booking can be corrected for ${correctionDays} days.`);
}

function correctionEnd({ closedAt, updatedAt }: BookingRow): Date {
  return new Date((closedAt ?? updatedAt).getTime() + correctionDays * 24 * 60 * 60 * 1000);
}
