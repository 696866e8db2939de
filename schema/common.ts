import { z } from 'zod';
import { type DetailCode, detailCodes, type ErrorCode, errors } from './errors.ts';

/** Limits that stand in more than one place of the API document ("Limits"). */
export const limits = {
  id: 26,
  name: 191,
  email: 191,
  query: 191,
  phone: 32,
  page: { min: 1, max: 100, default: 25 },
} as const;

/** Adds an issue that carries one of the document's detail codes. */
export function issue(code: DetailCode, message: string) {
  return { code: 'custom' as const, message, params: { detail: code } };
}

/**
 * A string of `min` to `max` characters. Characters are Unicode code points, as JSON Schema counts them,
 * so 191 emoji fit in 191. U+0000 and lone surrogates are refused: PostgreSQL can't store them.
 */
export function text(max: number, min = 0) {
  return z
    .string()
    .superRefine((value, context) => {
      if (value.includes('\0') || !value.isWellFormed()) {
        context.addIssue(issue('format', 'Must be valid Unicode text without U+0000.'));
        return;
      }
      const length = codePoints(value, max + 1);
      if (length > max) context.addIssue(issue('max', `Must have at most ${max} characters.`));
      if (length < min) {
        context.addIssue(
          length === 0
            ? issue('required', 'Must not be empty.')
            : issue('min', `Must have at least ${min} characters.`),
        );
      }
    })
    .meta(min > 0 ? { minLength: min, maxLength: max } : { maxLength: max });
}

/** Counts code points, giving up at `enough`: a megabyte of text is not walked to learn that it is over 191. */
function codePoints(value: string, enough: number): number {
  if (value.length <= enough && !/[\uD800-\uDBFF]/.test(value)) return value.length;
  let count = 0;
  for (const _ of value) if (++count >= enough) break;
  return count;
}

/** A public id in a body or filter: at most 26 characters; whether it exists is asked later. */
export const publicId = text(limits.id, 1).meta({
  minLength: 1,
  maxLength: limits.id,
  examples: ['01JQZ7K3M9V5T2XH8C4B6N0DFG'],
});

/** A public id in a path. Anything that is no id is 404, never 422, so no limit is checked here. */
export const pathId = z
  .string()
  .meta({ description: 'Public id.', examples: ['01JQZ7K3M9V5T2XH8C4B6N0DFG'] });

/** A public id in a response. */
export const idOut = z
  .string()
  .meta({ description: 'Public id (ULID).', examples: ['01JQZ7K3M9V5T2XH8C4B6N0DFG'] });

/** ISO 8601 in UTC with milliseconds, as every response gives it. */
export const timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ format: 'date-time', examples: ['2026-03-01T09:30:00.123Z'] });

/** A moment in a request: ISO 8601 with any offset, or a bare date (midnight UTC). */
export const moment = z
  .string()
  .superRefine((value, context) => {
    if (Number.isNaN(momentOf(value)))
      context.addIssue(issue('format', 'Must be an ISO 8601 date-time with an offset.'));
  })
  .meta({ format: 'date-time', examples: ['2026-03-01T09:30:00Z'] });

const isoMoment =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d{2}:?\d{2}))?$/;

/** Milliseconds since 1970 of an ISO 8601 moment, or NaN for anything else, 30 February included. */
export function momentOf(value: string): number {
  const match = isoMoment.exec(value);
  if (!match) return Number.NaN;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const calendar = new Date(Date.UTC(year, month - 1, day));
  calendar.setUTCFullYear(year);
  if (calendar.getUTCMonth() !== month - 1 || calendar.getUTCDate() !== day) return Number.NaN;
  return Date.parse(value.replace(/([+-]\d{2})(\d{2})$/, '$1:$2').toUpperCase());
}

/** An e-mail address in a request. Compared without regard to case, stored as given. */
export const email = text(limits.email)
  .superRefine((value, context) => {
    if (!z.regexes.rfc5322Email.test(value)) context.addIssue(issue('format', 'Must be an e-mail address.'));
  })
  .meta({ format: 'email', maxLength: limits.email, examples: ['ana@example.com'] });

/** ISO 3166-1 alpha-2 country: exactly two letters, kept in upper case. */
export const country = text(2, 2)
  .superRefine((value, context) => {
    if (!/^[A-Za-z]{2}$/.test(value)) context.addIssue(issue('format', 'Must be a two-letter country code.'));
  })
  .meta({ minLength: 2, maxLength: 2, examples: ['PT'] });

/** A query flag: the document allows exactly 1, 0, true and false. tRPC and GraphQL give a boolean. */
export const flag = z.boolean().meta({ override: { type: 'string', enum: ['1', '0', 'true', 'false'] } });

/** Free text to search for. */
export const searchText = text(limits.query).meta({
  maxLength: limits.query,
  description: 'Text to search for.',
});

/** Query parameters of every cursor-paginated list. */
export const pageQuery = {
  limit: z
    .int()
    .min(limits.page.min)
    .max(limits.page.max)
    .optional()
    .meta({ default: limits.page.default, description: 'Records per page.' }),
  cursor: text(2000)
    .optional()
    .meta({ description: '`meta.next_cursor` of the page before, passed back verbatim.' }),
};

const testMeta = z.object({ events: z.array(z.record(z.string(), z.unknown())) }).meta({
  id: 'TestMeta',
  description: 'Test keys only: the webhook bodies that the same call would have sent in live mode.',
});

/** `{data}` of a single record; `meta.test` appears on writes made with a test key. */
export function single<T extends z.ZodType>(record: T) {
  return z.strictObject({ data: record, meta: z.strictObject({ test: testMeta }).optional() });
}

/** `{data, meta}` of a cursor-paginated list. */
export function page<T extends z.ZodType>(record: T) {
  return z.strictObject({
    data: z.array(record),
    meta: z.strictObject({
      next_cursor: z.string().nullable().meta({ description: 'Null when `has_more` is false.' }),
      has_more: z.boolean(),
    }),
  });
}

/** `{data}` of a list that is not paged. */
export function list<T extends z.ZodType>(record: T) {
  return z.strictObject({ data: z.array(record) });
}

/** Answer of DELETE. */
export const Deleted = z.strictObject({ id: idOut, deleted: z.boolean() }).meta({ id: 'Deleted' });

/** One failing field of a 422. */
export const ErrorDetail = z
  .strictObject({
    param: z
      .string()
      .nullable()
      .meta({ description: 'Path of the field in dot form.', examples: ['items.0.quantity'] }),
    code: z.enum(detailCodes),
    message: z.string(),
    existing: z
      .string()
      .optional()
      .meta({ description: 'With `duplicate`: id of the record that has the value.' }),
  })
  .meta({ id: 'ErrorDetail' });

/** The uniform failure body. */
export const ErrorBody = z
  .strictObject({
    error: z.strictObject({
      type: z.enum([...new Set(Object.values(errors).map((row) => row.type))]),
      code: z.enum(Object.keys(errors) as [ErrorCode, ...ErrorCode[]]),
      message: z.string(),
      param: z.string().nullable(),
      request_id: z.string().meta({ description: 'Equals the X-Request-Id header.' }),
      details: z.array(ErrorDetail).max(50).optional().meta({ description: 'Only on 422.' }),
    }),
  })
  .meta({ id: 'Error' });

/** Failure of `/me` with 401: declares `message` beside the uniform body (API document, "Case rules" 5). */
export const AccountErrorBody = ErrorBody.extend({ message: z.string() }).meta({ id: 'AccountError' });

/** Failure of the bookings endpoints: the legacy fields beside the uniform body. */
export const BookingsErrorBody = ErrorBody.extend({
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())),
}).meta({ id: 'BookingsError' });

/** Failure of the rate endpoint with 422. */
export const RatingErrorBody = z.strictObject({ error: z.string() }).meta({ id: 'RatingError' });
