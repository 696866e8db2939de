import type { EventType } from '../../schema/events.ts';
import { changedFields } from '../platform/events.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { presentBooking } from './present.ts';
import type { BookingRow } from './rows.ts';

type BookingEvent = Extract<EventType, `booking.${string}`>;

export function emitBooking(
  ctx: WorkContext,
  type: BookingEvent,
  row: BookingRow,
  previous?: Record<string, unknown>,
): void {
  ctx.emit({
    type,
    object: presentBooking(row),
    ...(previous ? { previous } : {}),
    ...(row.contactId ? { contactId: row.contactId } : {}),
    ...(row.conversationId ? { conversationId: row.conversationId } : {}),
  });
}

/** `updated` tells of every change; a move and a new status have events of their own besides. */
export function emitChanges(ctx: WorkContext, before: BookingRow, after: BookingRow): void {
  const previous = changedFields(presentBooking(before), presentBooking(after));
  emitBooking(ctx, 'booking.updated', after, previous);
  if ('starts_at' in previous || 'ends_at' in previous)
    emitBooking(ctx, 'booking.rescheduled', after, previous);
  // Nothing becomes pending again.
  if ('status' in previous) emitBooking(ctx, `booking.${after.status}` as BookingEvent, after, previous);
}
