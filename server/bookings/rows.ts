import { type Booking as BookingColumns, Prisma } from '../../prisma/generated/client/client.ts';
import type { Context } from '../platform/context.ts';
import { isId } from '../platform/ids.ts';
import { columns } from '../platform/pagination.ts';

/** A booking with what its public record shows, read in one statement. */
export interface BookingRow extends BookingColumns {
  agent: { name: string; email: string };
  contact: {
    id: string;
    name: string | null;
    phone: string | null;
    email: string | null;
    deleted: boolean;
  } | null;
  rescheduledFrom: { starts_at: string; ends_at: string } | null;
}

/** `SELECT … FROM bookings`, with agent, contact and the last move beside each row. */
export const selectBookings = Prisma.sql`SELECT ${columns(Prisma.BookingScalarFieldEnum)},
  (SELECT json_build_object('name', u.display_name, 'email', u.email)
    FROM users u WHERE u.company_id = bookings.company_id AND u.id = bookings.agent_id) AS agent,
  (SELECT json_build_object('id', c.id, 'name', c.name, 'phone', c.phone, 'email', c.email,
      'deleted', c.deleted_at IS NOT NULL)
    FROM contacts c WHERE c.company_id = bookings.company_id AND c.id = bookings.contact_id) AS contact,
  (SELECT json_build_object('starts_at', r.from_starts_at, 'ends_at', r.from_ends_at)
    FROM booking_reschedules r WHERE r.company_id = bookings.company_id AND r.booking_id = bookings.id
    ORDER BY r.at DESC LIMIT 1) AS "rescheduledFrom"
  FROM bookings`;

/** The booking with this id, or null: unknown, foreign and deleted look the same. */
export async function findBooking(ctx: Context, id: string): Promise<BookingRow | null> {
  if (!isId(id)) return null;
  const rows = await ctx.db.$queryRaw<BookingRow[]>`
    ${selectBookings} WHERE company_id = ${ctx.companyId} AND id = ${id} AND deleted_at IS NULL`;
  return rows[0] ?? null;
}

export const bookingTargets = {
  booking: async (ctx: Context, id: string) => (await findBooking(ctx, id)) !== null,
};
