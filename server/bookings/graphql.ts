import type { Booking as BookingRecord } from '../../schema/bookings.ts';
import { Contact } from '../contacts/graphql.ts';
import { contactsById } from '../contacts/loaders.ts';
import { batched } from '../platform/batch.ts';
import {
  Deleted,
  firstArg,
  listField,
  mutationField,
  queryField,
  takeFirst,
} from '../platform/graphql-fields.ts';
import { builder } from '../platform/graphql.ts';
import { authorize } from '../platform/operation.ts';
import { bookingsOfContacts } from './attached.ts';
import { listBookingRows, listBookings, showAvailability, type Slot } from './list.ts';
import { minutesOf, presentAttendee, presentBookingContact, presentCreator } from './present.ts';
import type { BookingRow } from './rows.ts';
import { createBooking, deleteBooking, showBooking, updateBooking } from './service.ts';

const loadContact = batched(contactsById);
const loadBookings = batched(bookingsOfContacts);

const BookingAgent = builder.objectRef<BookingRecord['agent']>('BookingAgent').implement({
  fields: (t) => ({ name: t.exposeString('name'), email: t.exposeString('email') }),
});

const BookingContact = builder.objectRef<NonNullable<BookingRecord['contact']>>('BookingContact').implement({
  description: 'The contact as the booking shows it; a deleted one is named `Deleted contact`.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name', { nullable: true }),
    phone: t.exposeString('phone', { nullable: true }),
    email: t.exposeString('email', { nullable: true }),
    profile: t.field({
      type: Contact,
      nullable: true,
      access: 'contacts.view',
      description: 'The whole record; null when deleted. Needs `contacts.view`.',
      resolve: ({ id }, _args, ctx) => loadContact(ctx, id),
    }),
  }),
});

const BookingAttendee = builder
  .objectRef<NonNullable<BookingRecord['attendee']>>('BookingAttendee')
  .implement({
    description: 'Someone who is no contact.',
    fields: (t) => ({
      name: t.exposeString('name', { nullable: true }),
      email: t.exposeString('email', { nullable: true }),
      phone: t.exposeString('phone', { nullable: true }),
    }),
  });

const BookingCreator = builder
  .objectRef<NonNullable<BookingRecord['created_by']>>('BookingCreator')
  .implement({
    fields: (t) => ({
      name: t.exposeString('name', { nullable: true }),
      email: t.exposeString('email', { nullable: true }),
    }),
  });

const BookingTimes = builder.objectRef<{ starts_at: string; ends_at: string }>('BookingTimes').implement({
  fields: (t) => ({
    startsAt: t.field({ type: 'DateTime', resolve: ({ starts_at }) => new Date(starts_at) }),
    endsAt: t.field({ type: 'DateTime', resolve: ({ ends_at }) => new Date(ends_at) }),
  }),
});

export const Booking = builder.objectRef<BookingRow>('Booking').implement({
  description: 'An appointment with an agent. Two pending or confirmed ones of an agent never overlap.',
  fields: (t) => ({
    id: t.exposeID('id'),
    title: t.exposeString('title'),
    status: t.exposeString('status', {
      description: 'pending, confirmed, cancelled, completed or no_show.',
    }),
    startsAt: t.expose('startsAt', { type: 'DateTime' }),
    endsAt: t.expose('endsAt', { type: 'DateTime' }),
    durationMinutes: t.int({ resolve: minutesOf }),
    timezone: t.exposeString('timezone', { description: 'IANA zone, for display only.' }),
    agent: t.field({ type: BookingAgent, complexity: 0, resolve: ({ agent }) => agent }),
    agentEmail: t.string({ resolve: ({ agent }) => agent.email }),
    contact: t.field({ type: BookingContact, nullable: true, complexity: 0, resolve: presentBookingContact }),
    conversation: t.exposeID('conversationId', { nullable: true }),
    attendee: t.field({ type: BookingAttendee, nullable: true, complexity: 0, resolve: presentAttendee }),
    location: t.exposeString('location', { nullable: true }),
    notes: t.exposeString('notes', { nullable: true }),
    cancelReason: t.exposeString('cancelReason', { nullable: true }),
    rescheduledFrom: t.expose('rescheduledFrom', {
      type: BookingTimes,
      nullable: true,
      complexity: 0,
      description: 'The times before the last move.',
    }),
    createdBy: t.field({ type: BookingCreator, nullable: true, complexity: 0, resolve: presentCreator }),
    version: t.exposeInt('version', { description: 'Grows with every change.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

const BusySlot = builder.objectRef<Slot>('BusySlot').implement({
  fields: (t) => ({
    startsAt: t.expose('startsAt', { type: 'DateTime' }),
    endsAt: t.expose('endsAt', { type: 'DateTime' }),
  }),
});

builder.objectField(Contact, 'bookings', (t) =>
  t.field({
    type: [Booking],
    nullable: true,
    description: 'Latest first. Needs `bookings.read` (or `calendar.view`) and a live key.',
    args: firstArg(),
    resolve: async ({ id }, args, ctx) => {
      authorize(listBookings, ctx);
      return takeFirst((await loadBookings(ctx, id)) ?? [], args);
    },
  }),
);

queryField('booking', showBooking, { type: Booking, description: 'One booking.' });
listField('bookings', listBookingRows, {
  type: Booking,
  description: 'Bookings that overlap the window, earliest first.',
});
listField('availability', showAvailability, {
  type: BusySlot,
  description: 'When an agent is busy: clipped to the window, sorted, touching slots merged.',
});
mutationField('createBooking', createBooking, {
  type: Booking,
  input: 'BookingCreateInput',
  description: 'Creates a booking; a slot that is taken is a `conflict`.',
});
mutationField('updateBooking', updateBooking, {
  type: Booking,
  input: 'BookingUpdateInput',
  description: 'Updates, moves, confirms, cancels or closes a booking.',
});
mutationField('deleteBooking', deleteBooking, {
  type: Deleted,
  description: 'Deletes a booking and frees its slot.',
});
