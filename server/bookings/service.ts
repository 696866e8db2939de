import { Prisma } from '../../prisma/generated/client/client.ts';
import { BookingCreate, BookingPath, BookingUpdate } from '../../schema/bookings.ts';
import { actorOf } from '../platform/context.ts';
import { invalidField, notFound } from '../platform/errors.ts';
import { isId, newId } from '../platform/ids.ts';
import { mutation, query } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { emitBooking, emitChanges } from './events.ts';
import { attendeeOf, lockCalendar, requireAgent, requireLinks } from './references.ts';
import { type BookingRow, bookingTargets, findBooking } from './rows.ts';
import { timesOf } from './times.ts';
import { isActive } from './transitions.ts';
import { changeBooking } from './update.ts';

const read = { access: 'bookings.read', liveOnly: true } as const;
const write = { access: 'bookings.write', liveOnly: true } as const;

export const showBooking = query(
  { ...read, input: BookingPath, targets: bookingTargets },
  async (ctx, { booking }) => {
    const row = await findBooking(ctx, booking);
    if (!row) throw notFound();
    return row;
  },
);

export const createBooking = mutation({ ...write, input: BookingCreate }, async (ctx, input) => {
  if (typeof input.cancel_reason === 'string')
    throw invalidField('cancel_reason', 'not_allowed', 'Goes only with status cancelled.');
  const times = timesOf(input);
  const agent = await agentOf(ctx, input.agent_email);
  const contact = await requireLinks(ctx, input);
  await lockCalendar(ctx, agent.id);
  const now = ctx.now();
  const { user } = ctx.principal;
  const columns = await ctx.db.booking.create({
    data: {
      companyId: ctx.companyId,
      id: newId(),
      title: input.title,
      status: input.status ?? 'confirmed',
      ...times,
      timezone: input.timezone ?? ctx.principal.company.timezone,
      agentId: agent.id,
      contactId: input.contact ?? null,
      conversationId: input.conversation ?? null,
      attendee: input.attendee ? attendeeOf(input.attendee) : Prisma.DbNull,
      location: input.location ?? null,
      notes: input.notes ?? null,
      createdBy: { ...actorOf(ctx), name: user?.name ?? ctx.principal.name, email: user?.email ?? null },
      createdAt: now,
      updatedAt: now,
    },
  });
  const row: BookingRow = { ...columns, agent, contact, rescheduledFrom: null };
  emitBooking(ctx, 'booking.created', row);
  return row;
});

export const updateBooking = mutation(
  { ...write, input: BookingUpdate.extend(BookingPath.shape), targets: bookingTargets },
  async (ctx, { booking, ...input }) => {
    const before = await lockBooking(ctx, booking);
    const after = await changeBooking(ctx, before, input);
    if (after !== before) emitChanges(ctx, before, after);
    return after;
  },
);

/** Frees the slot. The row stays, out of sight. */
export const deleteBooking = mutation(
  { ...write, input: BookingPath, targets: bookingTargets },
  async (ctx, { booking }) => {
    const { id, status, contactId, conversationId } = await lockBooking(ctx, booking);
    const now = ctx.now();
    await ctx.db.booking.update({
      where: { companyId_id: { companyId: ctx.companyId, id } },
      data: { deletedAt: now, updatedAt: now, version: { increment: 1 } },
    });
    if (isActive(status)) {
      ctx.emit({
        type: 'booking.cancelled',
        object: { id, deleted: true },
        previous: { status },
        ...(contactId ? { contactId } : {}),
        ...(conversationId ? { conversationId } : {}),
      });
    }
    return { id };
  },
);

/** Reads the booking and holds its row, so that what is compared is what is changed. */
async function lockBooking(ctx: WorkContext, id: string): Promise<BookingRow> {
  if (isId(id)) {
    await ctx.db.$queryRaw`
      SELECT 1 FROM bookings WHERE company_id = ${ctx.companyId} AND id = ${id} FOR NO KEY UPDATE`;
  }
  const row = await findBooking(ctx, id);
  if (!row) throw notFound();
  return row;
}

async function agentOf(ctx: WorkContext, agentEmail: string | undefined) {
  if (agentEmail !== undefined) return requireAgent(ctx, agentEmail);
  const { user } = ctx.principal;
  if (!user) throw invalidField('agent_email', 'required', 'Is required.');
  return user;
}
