import { Availability, BookingBody, BookingList } from '../../schema/bookings.ts';
import { Deleted } from '../../schema/common.ts';
import { z } from 'zod';
import { procedure, router } from '../platform/trpc.ts';
import { listBookings, listContactBookings, showAvailability } from './list.ts';
import { presentBooking } from './present.ts';
import { createBooking, deleteBooking, showBooking, updateBooking } from './service.ts';

const legacy = {
  tag: 'Bookings',
  legacy: 'bookings',
} as const;
const note =
  'Legacy endpoint: plain `{data}`, no paging, no Idempotency-Key, no test mode (403 for test keys).';

export const bookingsRouter = router({
  list: procedure(listBookings, {
    output: BookingList,
    present: ({ rows }) => ({ data: rows.map(presentBooking) }),
    headers: ({ total }): Record<string, string> =>
      total === null ? {} : { 'X-Total-Count': String(total), 'X-Truncated': 'true' },
    rest: {
      method: 'GET',
      path: '/bookings',
      summary: 'List bookings',
      description: `Those that overlap the window from \`from\` to \`to\`, earliest first, at most 500. ${note}`,
      headers: {
        'X-Total-Count': 'How many bookings match; only when the list was cut.',
        'X-Truncated': '`true` when the list was cut at 500.',
      },
      ...legacy,
    },
  }),
  create: procedure(createBooking, {
    output: BookingBody,
    present: (row) => ({ data: presentBooking(row) }),
    rest: {
      method: 'POST',
      path: '/bookings',
      summary: 'Create a booking',
      description: `A slot that is taken is 409; pending bookings take theirs too, and slots may touch. ${note}`,
      status: 201,
      conflicts: true,
      ...legacy,
    },
  }),
  show: procedure(showBooking, {
    output: BookingBody,
    present: (row) => ({ data: presentBooking(row) }),
    rest: {
      method: 'GET',
      path: '/bookings/{booking}',
      summary: 'Show a booking',
      description: note,
      ...legacy,
    },
  }),
  update: procedure(updateBooking, {
    output: BookingBody,
    present: (row) => ({ data: presentBooking(row) }),
    rest: {
      method: 'PATCH',
      path: '/bookings/{booking}',
      summary: 'Update, move, confirm, cancel or close a booking',
      description: `A field that is absent stays as it is; null clears it. ${note}`,
      conflicts: true,
      ...legacy,
    },
  }),
  delete: procedure(deleteBooking, {
    output: z.strictObject({ data: Deleted }),
    present: ({ id }) => ({ data: { id, deleted: true } }),
    rest: {
      method: 'DELETE',
      path: '/bookings/{booking}',
      summary: 'Delete a booking',
      description: `Frees the slot. ${note}`,
      status: 204,
      ...legacy,
    },
  }),
  availability: procedure(showAvailability, {
    output: Availability,
    present: (slots) => ({
      busy: slots.map(({ startsAt, endsAt }) => ({
        starts_at: startsAt.toISOString(),
        ends_at: endsAt.toISOString(),
      })),
    }),
    rest: {
      method: 'GET',
      path: '/availability',
      summary: "Show an agent's busy slots",
      description: `Pending and confirmed bookings, clipped to the window, sorted, touching ones merged. The window is 62 days at most. ${note}`,
      ...legacy,
    },
  }),
  ofContact: procedure(listContactBookings, {
    output: BookingList,
    present: (rows) => ({ data: rows.map(presentBooking) }),
  }),
});
