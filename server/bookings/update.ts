import { Prisma } from '../../prisma/generated/client/client.ts';
import type { BookingStatus, BookingUpdate } from '../../schema/bookings.ts';
import { actorOf } from '../platform/context.ts';
import { conflict, invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { attendeeOf, lockCalendar, requireAgent, requireLinks } from './references.ts';
import type { BookingRow } from './rows.ts';
import { timesOf } from './times.ts';
import { isActive, requireTransition } from './transitions.ts';

/**
 * Writes what a body asks of a booking whose row is held. The same booking comes back when nothing changes.
 * @throws AppError 422 for a field, 409 for a status or times that may not change, or a slot that is taken
 */
export async function changeBooking(
  ctx: WorkContext,
  before: BookingRow,
  input: BookingUpdate,
): Promise<BookingRow> {
  const now = ctx.now();
  const times = timesOf(input, before);
  const status: BookingStatus = input.status ?? (before.status as BookingStatus);
  if (typeof input.cancel_reason === 'string' && status !== 'cancelled')
    throw invalidField('cancel_reason', 'not_allowed', 'Goes only with status cancelled.');
  const agent = input.agent_email === undefined ? null : await requireAgent(ctx, input.agent_email);
  const contact = input.contact || input.conversation ? await requireLinks(ctx, input) : null;
  const moved =
    times.startsAt.getTime() !== before.startsAt.getTime() ||
    times.endsAt.getTime() !== before.endsAt.getTime();
  if (moved && !(isActive(before.status) && isActive(status)))
    throw conflict('Only a pending or confirmed booking can be moved.');
  requireTransition(before, status, times, now);
  const wanted = {
    title: input.title,
    status,
    ...(moved ? times : {}),
    timezone: input.timezone,
    agentId: agent?.id,
    contactId: input.contact,
    conversationId: input.conversation,
    attendee: input.attendee && attendeeOf(input.attendee),
    location: input.location,
    notes: input.notes,
    cancelReason: input.cancel_reason,
  };
  const data = Object.fromEntries(
    Object.entries(wanted).filter(
      ([name, value]) =>
        value !== undefined && JSON.stringify(value) !== JSON.stringify(before[name as keyof BookingRow]),
    ),
  );
  if (Object.keys(data).length === 0) return before;
  if (isActive(status)) await lockCalendar(ctx, before.agentId, agent?.id ?? before.agentId);
  if (moved) await rememberMove(ctx, before);
  const columns = await ctx.db.booking.update({
    where: { companyId_id: { companyId: ctx.companyId, id: before.id } },
    data: {
      ...data,
      ...('attendee' in data && data['attendee'] === null ? { attendee: Prisma.DbNull } : {}),
      ...stampsOf(before, status, now),
      version: { increment: 1 },
      updatedAt: now,
    },
  });
  return {
    ...columns,
    agent: agent ?? before.agent,
    contact: input.contact === undefined ? before.contact : contact,
    rescheduledFrom: moved
      ? { starts_at: before.startsAt.toISOString(), ends_at: before.endsAt.toISOString() }
      : before.rescheduledFrom,
  };
}

/** `closedAt` keeps the first time, so that corrections back and forth do not prolong the time for them. */
function stampsOf(before: BookingRow, status: string, now: Date) {
  if (status === before.status) return {};
  if (status === 'cancelled') return { cancelledAt: now };
  return isActive(status) ? {} : { closedAt: before.closedAt ?? now };
}

async function rememberMove(ctx: WorkContext, before: BookingRow): Promise<void> {
  await ctx.db.bookingReschedule.create({
    data: {
      companyId: ctx.companyId,
      id: newId(),
      bookingId: before.id,
      fromStartsAt: before.startsAt,
      fromEndsAt: before.endsAt,
      actor: actorOf(ctx),
      at: ctx.now(),
    },
  });
}
