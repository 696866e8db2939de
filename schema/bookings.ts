import { z } from 'zod';
import { email, idOut, issue, list, moment, momentOf, pathId, publicId, text, timestamp } from './common.ts';
import { type BookingStatus, bookingStatuses } from './words.ts';

export { bookingMaximum, bookingStatuses, bookingTransitions, type BookingStatus } from './words.ts';

/** Longest booking, in minutes. */
export const maximumMinutes = 24 * 60;
/** Longest window of availability, in days. */
export const availabilityDays = 62;
/** Days in which `completed` and `no_show` may be corrected into each other. */
export const correctionDays = 7;

/** Statuses that keep their slot: two such bookings of one agent never overlap. */
export const activeStatuses: readonly BookingStatus[] = ['pending', 'confirmed'];

const Attendee = z
  .strictObject({ name: z.string().nullable(), email: z.string().nullable(), phone: z.string().nullable() })
  .meta({ id: 'BookingAttendee', description: 'Someone who is no contact.' });

/** An appointment with an agent. Source: decisions §3, "BookingResource". */
export const Booking = z
  .strictObject({
    id: idOut,
    title: z.string(),
    status: z.enum(bookingStatuses),
    starts_at: timestamp,
    ends_at: timestamp,
    duration_minutes: z.int().meta({ description: 'From `starts_at` to `ends_at`, rounded.' }),
    timezone: z.string().meta({ description: 'IANA zone, for display only.', examples: ['Europe/Lisbon'] }),
    agent: z.strictObject({ name: z.string(), email: z.string() }),
    agent_email: z.string(),
    contact: z
      .strictObject({
        id: idOut,
        name: z.string().nullable(),
        phone: z.string().nullable(),
        email: z.string().nullable(),
      })
      .nullable(),
    conversation: idOut.nullable(),
    attendee: Attendee.nullable(),
    location: z.string().nullable(),
    notes: z.string().nullable(),
    cancel_reason: z.string().nullable(),
    rescheduled_from: z
      .strictObject({ starts_at: timestamp, ends_at: timestamp })
      .nullable()
      .meta({ description: 'The times before the last move.' }),
    created_by: z.strictObject({ name: z.string().nullable(), email: z.string().nullable() }).nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Booking' });
export type Booking = z.infer<typeof Booking>;

const title = text(191, 1).meta({ minLength: 1, maxLength: 191, examples: ['Fitting'] });

/** ISO 8601 with a time and an offset: a bare date is no start of an appointment. */
const instant = z
  .string()
  .superRefine((value, context) => {
    if (!/[Tt]/.test(value) || Number.isNaN(momentOf(value)))
      context.addIssue(issue('format', 'Must be an ISO 8601 date-time with an offset.'));
  })
  .meta({ format: 'date-time', examples: ['2026-03-02T10:00:00+01:00'] });

const duration = z
  .int()
  .min(5)
  .max(maximumMinutes)
  .meta({ description: 'Instead of `ends_at`.', examples: [45] });

const timezone = text(64, 1)
  .superRefine((value, context) => {
    if (!isTimezone(value))
      context.addIssue(issue('format', 'Must be an IANA time zone such as Europe/Lisbon.'));
  })
  .meta({ description: 'IANA zone, for display only.', examples: ['Europe/Lisbon'] });

const details = {
  agent_email: email
    .optional()
    .meta({ description: "An agent of the company; the key's user unless given." }),
  contact: publicId.nullish(),
  conversation: publicId.nullish(),
  attendee: z
    .object({ name: text(191).nullish(), email: email.nullish(), phone: text(32).nullish() })
    .nullish(),
  location: text(191).nullish().meta({ description: 'Address or link.' }),
  notes: text(2000).nullish(),
  timezone: timezone
    .optional()
    .meta({ description: "IANA zone, for display only; the company's unless given." }),
  cancel_reason: text(500).nullish().meta({ description: 'Only with status cancelled.' }),
};

export const BookingCreate = z.object({
  title,
  starts_at: instant,
  ends_at: instant.optional().meta({ description: 'After `starts_at`, by 24 hours at most.' }),
  duration_minutes: duration.optional(),
  status: z.enum(['pending', 'confirmed']).optional().meta({ default: 'confirmed' }),
  ...details,
});
export type BookingCreate = z.infer<typeof BookingCreate>;

/** Body of update: absent keeps, null clears. A start that moves alone takes the end with it. */
export const BookingUpdate = z.object({
  title: title.optional(),
  starts_at: instant.optional(),
  ends_at: instant.optional(),
  duration_minutes: duration.optional(),
  status: z.enum(bookingStatuses).optional(),
  ...details,
});
export type BookingUpdate = z.infer<typeof BookingUpdate>;

const statusList = z
  .string()
  .superRefine((value, context) => {
    const unknown = value.split(',').find((word) => !bookingStatuses.some((status) => status === word));
    if (unknown !== undefined)
      context.addIssue(issue('enum', `Must be of ${bookingStatuses.join(', ')}, separated by commas.`));
  })
  .meta({
    description: `One or more of ${bookingStatuses.join(', ')}, separated by commas.`,
    examples: ['pending,confirmed'],
  });

/** Query of the list: bookings that overlap [from, to). */
export const BookingListQuery = z.object({
  from: moment.optional().meta({ description: 'Ending after.' }),
  to: moment.optional().meta({ description: 'Starting before.' }),
  status: statusList.optional(),
});
export type BookingListQuery = z.infer<typeof BookingListQuery>;

export const BookingPath = z.object({ booking: pathId });

/** All three are required; the window is 62 days at most. */
export const AvailabilityQuery = z.object({
  agent_email: email,
  from: moment,
  to: moment,
});
export type AvailabilityQuery = z.infer<typeof AvailabilityQuery>;

/** Not wrapped in `data` (API document, "Bookings"). */
export const Availability = z
  .strictObject({ busy: z.array(z.strictObject({ starts_at: timestamp, ends_at: timestamp })) })
  .meta({ id: 'Availability' });

/** Legacy envelope: `{data}` and nothing else. */
export const BookingBody = z.strictObject({ data: Booking });
export const BookingList = list(Booking);

function isTimezone(value: string): boolean {
  if (!/^[A-Za-z]/.test(value)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
