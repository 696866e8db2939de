import { z } from 'zod';
import { idOut, issue, single, text, timestamp } from './common.ts';

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** An IANA time zone, in its canonical spelling. Offsets such as `+02:00` are none. */
export const timezone = z.string().transform((value, context) => {
  const zone = canonicalZone(value);
  if (zone !== undefined) return zone;
  context.addIssue(issue('format', 'Must be an IANA time zone such as Europe/Lisbon.'));
  return z.NEVER;
});

/** An ISO 4217 currency, in upper case. */
export const currency = z
  .string()
  .toUpperCase()
  .refine((value) => currencies.has(value), issue('format', 'Must be an ISO 4217 currency such as EUR.'));

/** A BCP 47 language tag, in its canonical spelling. */
const locale = z.string().transform((value, context) => {
  const tag = canonicalLocale(value);
  if (tag !== undefined) return tag;
  context.addIssue(issue('format', 'Must be a language tag such as pt-BR.'));
  return z.NEVER;
});

/** Days of `business_hours`, Monday first. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** At most this many intervals a day, and this many holidays. */
export const intervalMaximum = 10;
export const holidayMaximum = 366;

const clockTime = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

const from = text(5)
  .superRefine((value, context) => {
    if (!clockTime.test(value)) context.addIssue(issue('format', 'Must be a time from 00:00 to 23:59.'));
  })
  .meta({ examples: ['09:00'] });
const to = text(5)
  .superRefine((value, context) => {
    if (!clockTime.test(value) && value !== '24:00')
      context.addIssue(issue('format', 'Must be a time from 00:01 to 24:00.'));
  })
  .meta({ examples: ['18:00'] });

/** From, included, to, not included. Hours over midnight are two intervals: until 24:00, and from 00:00. */
const interval = z.object({ from, to });
export type Interval = z.infer<typeof interval>;

/** Hours of one day; touching ones are one. Times are compared as texts: they are all of one length. */
const dayHours = z
  .array(interval)
  .max(intervalMaximum)
  .superRefine((hours, context) => {
    for (const [index, one] of hours.entries()) {
      if (one.to <= one.from)
        context.addIssue({ ...issue('min', 'Must be after from.'), path: [index, 'to'] });
      else if (hours.slice(0, index).some((other) => one.from < other.to && other.from < one.to))
        context.addIssue({ ...issue('not_allowed', 'Overlaps another interval of the day.'), path: [index] });
    }
  });

const calendarDate = text(10).superRefine((value, context) => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(value))
    context.addIssue(issue('format', 'Must be a date such as 2026-12-25.'));
});

const holiday = z.object({
  date: calendarDate,
  name: text(100).optional(),
  hours: dayHours.optional().meta({ description: 'Hours of that day; closed all day without.' }),
});

const holidays = z
  .array(holiday)
  .max(holidayMaximum)
  .superRefine((days, context) => {
    for (const [index, { date }] of days.entries())
      if (days.findIndex((other) => other.date === date) < index)
        context.addIssue({ ...issue('duplicate', 'Is listed already.'), path: [index, 'date'] });
  });

/** When a company works, in its own time zone. A weekday that is absent is closed. */
export const BusinessHours = z.object({
  mon: dayHours.optional(),
  tue: dayHours.optional(),
  wed: dayHours.optional(),
  thu: dayHours.optional(),
  fri: dayHours.optional(),
  sat: dayHours.optional(),
  sun: dayHours.optional(),
  holidays: holidays.optional(),
});
export type BusinessHours = z.infer<typeof BusinessHours>;

/** Whether a company is open, and when that changes. Both times are null when it never does. */
export const Opening = z.strictObject({
  open: z.boolean(),
  opens_at: timestamp.nullable().meta({ description: 'When it opens next; null while it is open.' }),
  closes_at: timestamp.nullable().meta({ description: 'When it closes next; null while it is closed.' }),
});

/** The settings of a company. Dashboard only. */
export const Company = z.strictObject({
  id: idOut,
  name: z.string(),
  timezone: z.string(),
  currency: z.string(),
  locale: z.string(),
  undo_send_seconds: z.int(),
  business_hours: BusinessHours.nullable().meta({ description: 'Null: always open.' }),
  opening: Opening,
  away_message: z.string().nullable(),
  auto_assign: z.boolean(),
  rating_request: z.boolean(),
  rating_message: z.string().nullable(),
  auto_close_days: z.int().nullable(),
  retention_days: z.int().nullable(),
  version: z.int(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Company = z.infer<typeof Company>;

/** A message of the house's own: not only spaces, or null for none. */
const ownMessage = text(1024, 1)
  .superRefine((value, context) => {
    if (value !== '' && value.trim() === '') context.addIssue(issue('required', 'Must not be blank.'));
  })
  .nullable();

/** Absent keeps. */
export const CompanyUpdate = z.object({
  version: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'Of the record that was edited; refused with 409 when it has changed since.' }),
  name: text(191, 1).optional(),
  timezone: timezone.optional(),
  currency: currency.optional().meta({ description: 'Default of new products and orders.' }),
  locale: locale.optional(),
  undo_send_seconds: z
    .int()
    .min(0)
    .max(30)
    .optional()
    .meta({ description: "So long an agent's message is held in the dashboard." }),
  business_hours: BusinessHours.nullable()
    .optional()
    .meta({ description: 'Replaces them all; null: always open.' }),
  away_message: ownMessage
    .optional()
    .meta({ description: 'Answers customers who write outside of the business hours.' }),
  auto_assign: z.boolean().optional(),
  rating_request: z.boolean().optional().meta({ description: 'Asks for a rating when an agent closes.' }),
  rating_message: ownMessage.optional().meta({ description: 'How it is asked for; null: in English.' }),
  auto_close_days: z
    .int()
    .min(1)
    .max(365)
    .nullable()
    .optional()
    .meta({ description: 'Closes what the customer left unanswered for so many days; null: never.' }),
  retention_days: z.int().min(1).max(3650).nullable().optional().meta({
    description:
      'Messages, files, events and the request log are removed after so many days; null: they are kept.',
  }),
});
export type CompanyUpdate = z.infer<typeof CompanyUpdate>;

export const CompanyBody = single(Company);

export function canonicalZone(value: string): string | undefined {
  if (!/^[A-Za-z]/.test(value)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

function canonicalLocale(value: string): string | undefined {
  if (value.length > 35) return undefined;
  try {
    return Intl.getCanonicalLocales(value)[0];
  } catch {
    return undefined;
  }
}
