import { z } from 'zod';
import { Prisma } from '../../prisma/generated/client/client.ts';
import {
  AvailabilityQuery,
  availabilityDays,
  BookingListQuery,
  bookingMaximum,
  maximumMinutes,
} from '../../schema/bookings.ts';
import { momentOf, pathId } from '../../schema/common.ts';
import { contactTargets, findContact } from '../contacts/service.ts';
import type { Context } from '../platform/context.ts';
import { invalidField, notFound } from '../platform/errors.ts';
import { query } from '../platform/operation.ts';
import { readRows } from '../platform/rows.ts';
import { bookingsOfContacts } from './attached.ts';
import { requireAgent } from './references.ts';
import { type BookingRow, selectBookings } from './rows.ts';

/** The bookings, and how many there are when they are more than the list holds. */
export interface CappedBookings {
  rows: BookingRow[];
  /** Set only when the list was cut. */
  total: number | null;
}

const day = 24 * 60 * 60 * 1000;

/** Earliest first, at most 500. No test mode: a test key would see the live calendar (decisions §3). */
export const listBookings = query(
  { access: 'bookings.read', input: BookingListQuery, liveOnly: true },
  (ctx, input) => readBookings(ctx, input),
);

/** The same as a plain list, for GraphQL. */
export const listBookingRows = query(
  { access: 'bookings.read', input: BookingListQuery, liveOnly: true },
  async (ctx, input) => (await readBookings(ctx, input)).rows,
);

/** Those of one contact, latest first, at most 100. */
export const listContactBookings = query(
  {
    access: 'bookings.read',
    dashboardOnly: true,
    liveOnly: true,
    input: z.object({ contact: pathId }),
    targets: contactTargets,
  },
  async (ctx, { contact }) => {
    if (!(await findContact(ctx, contact))) throw notFound();
    return (await bookingsOfContacts(ctx, [contact])).get(contact) ?? [];
  },
);

async function readBookings(ctx: Context, input: BookingListQuery): Promise<CappedBookings> {
  const where = Prisma.join(
    [Prisma.sql`company_id = ${ctx.companyId} AND deleted_at IS NULL`, ...filtersOf(input)],
    ' AND ',
  );
  const rows = await readRows<BookingRow>(
    ctx,
    Prisma.sql`
    ${selectBookings} WHERE ${where} ORDER BY starts_at, id LIMIT ${bookingMaximum + 1}`,
  );
  if (rows.length <= bookingMaximum) return { rows, total: null };
  const [counted] = await readRows<{ total: number }>(
    ctx,
    Prisma.sql`
    SELECT count(*)::int AS total FROM bookings WHERE ${where}`,
  );
  return { rows: rows.slice(0, bookingMaximum), total: counted?.total ?? rows.length };
}

function filtersOf({ from, to, status }: BookingListQuery): Prisma.Sql[] {
  const filters: Prisma.Sql[] = [];
  if (to !== undefined) filters.push(Prisma.sql`starts_at < ${new Date(momentOf(to))}`);
  if (from !== undefined) {
    const start = momentOf(from);
    // No booking is longer than a day, so the index by start serves the end too.
    const earliest = new Date(start - maximumMinutes * 60_000);
    filters.push(Prisma.sql`ends_at > ${new Date(start)}`, Prisma.sql`starts_at > ${earliest}`);
  }
  if (status !== undefined) filters.push(Prisma.sql`status = ANY(${status.split(',')})`);
  return filters;
}

/** A time in which an agent is busy. */
export interface Slot {
  startsAt: Date;
  endsAt: Date;
}

/** When an agent is busy: active bookings, clipped to the window, sorted, with touching ones made one. */
export const showAvailability = query(
  { access: 'bookings.read', input: AvailabilityQuery, liveOnly: true },
  async (ctx, { agent_email, from, to }): Promise<Slot[]> => {
    const [start, end] = [momentOf(from), momentOf(to)];
    if (end <= start) throw invalidField('to', 'min', 'Must be after from.');
    if (end - start > availabilityDays * day)
      throw invalidField('to', 'max', `Must be within ${availabilityDays} days of from.`);
    const agent = await requireAgent(ctx, agent_email);
    const [first, last] = [new Date(start), new Date(end)];
    return readRows<Slot>(
      ctx,
      Prisma.sql`
      SELECT lower(slot) AS "startsAt", upper(slot) AS "endsAt" FROM unnest((
        SELECT range_agg(tstzrange(greatest(starts_at, ${first}), least(ends_at, ${last}), '[)')) FROM bookings
        WHERE company_id = ${ctx.companyId} AND agent_id = ${agent.id} AND deleted_at IS NULL
          AND status IN ('pending', 'confirmed') AND starts_at < ${last} AND ends_at > ${first}
          AND starts_at > ${new Date(start - maximumMinutes * 60_000)}
      )) AS slot ORDER BY 1`,
    );
  },
);
