import { Prisma } from '../../prisma/generated/client/client.ts';
import { limits } from '../../schema/common.ts';
import type { Context } from '../platform/context.ts';
import { readRows } from '../platform/rows.ts';
import { type BookingRow, selectBookings } from './rows.ts';

/** Bookings of many contacts in one statement, latest first, at most 100 of each contact. */
export async function bookingsOfContacts(
  ctx: Context,
  contactIds: string[],
): Promise<Map<string, BookingRow[]>> {
  const rows = await readRows<BookingRow>(
    ctx,
    Prisma.sql`
    SELECT found.* FROM unnest(${contactIds}::text[]) AS wanted (id)
    CROSS JOIN LATERAL (
      ${selectBookings} WHERE company_id = ${ctx.companyId} AND contact_id = wanted.id AND deleted_at IS NULL
      ORDER BY starts_at DESC LIMIT ${limits.page.max}
    ) AS found`,
  );
  return Map.groupBy(rows, (row) => row.contactId ?? '');
}
