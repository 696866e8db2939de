import type { Booking } from '../../schema/bookings.ts';
import type { BookingRow } from './rows.ts';

/** Minutes from start to end, rounded. */
export function minutesOf({ startsAt, endsAt }: Pick<BookingRow, 'startsAt' | 'endsAt'>): number {
  return Math.round((endsAt.getTime() - startsAt.getTime()) / 60_000);
}

/** The contact as bookings show it; what is left of a deleted one is its id. */
export function presentBookingContact({ contact }: Pick<BookingRow, 'contact'>): Booking['contact'] {
  if (!contact) return null;
  const { id, name, phone, email, deleted } = contact;
  return deleted ? { id, name: 'Deleted contact', phone: null, email: null } : { id, name, phone, email };
}

export function presentBooking(row: BookingRow): Booking {
  const moved = row.rescheduledFrom;
  return {
    id: row.id,
    title: row.title,
    status: row.status as Booking['status'],
    starts_at: row.startsAt.toISOString(),
    ends_at: row.endsAt.toISOString(),
    duration_minutes: minutesOf(row),
    timezone: row.timezone,
    agent: { name: row.agent.name, email: row.agent.email },
    agent_email: row.agent.email,
    contact: presentBookingContact(row),
    conversation: row.conversationId,
    attendee: presentAttendee(row),
    location: row.location,
    notes: row.notes,
    cancel_reason: row.cancelReason,
    rescheduled_from: moved && {
      starts_at: new Date(moved.starts_at).toISOString(),
      ends_at: new Date(moved.ends_at).toISOString(),
    },
    created_by: presentCreator(row),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

export function presentAttendee({ attendee }: Pick<BookingRow, 'attendee'>): Booking['attendee'] {
  if (!attendee) return null;
  const { name = null, email = null, phone = null } = attendee as Partial<NonNullable<Booking['attendee']>>;
  return { name, email, phone };
}

export function presentCreator({ createdBy }: Pick<BookingRow, 'createdBy'>): Booking['created_by'] {
  if (!createdBy) return null;
  const { name = null, email = null } = createdBy as Partial<NonNullable<Booking['created_by']>>;
  return { name, email };
}
