import { z } from 'zod';
import { moment, page, pageQuery, publicId, text, timestamp } from './common.ts';
import { type ErrorCode, errors } from './errors.ts';
import { requestClasses, requestMethods, requestSurfaces } from './words.ts';

/** How long requests are kept, in days, and how many of a company at most. */
export const requestsKept = { days: 30, rows: 100_000 } as const;

const codes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]];

/** One request to the API, without bodies and without its query string. Dashboard only. */
export const RequestEntry = z
  .strictObject({
    id: z.string().meta({ description: 'As in `X-Request-Id` and `error.request_id`.' }),
    at: timestamp,
    caller: z.strictObject({
      type: z.enum(['agent', 'api_key']),
      id: z.string().nullable(),
      name: z.string().nullable().meta({ description: 'As it is now.' }),
    }),
    surface: z.enum(requestSurfaces),
    method: z.string(),
    path: z.string().meta({ description: 'The pattern of the path, or the path where it fits none.' }),
    operation: z
      .string()
      .nullable()
      .meta({ examples: ['contacts.list'] }),
    status: z.int(),
    code: z.enum(codes).nullable(),
    param: z.string().nullable(),
    duration_ms: z.int(),
    livemode: z.boolean(),
    replayed: z
      .boolean()
      .meta({ description: 'The answer is that of an earlier request with this Idempotency-Key.' }),
    idempotency_key: z.string().nullable(),
    ip: z.string().nullable(),
    user_agent: z.string().nullable(),
  })
  .meta({ id: 'RequestEntry' });
export type RequestEntry = z.infer<typeof RequestEntry>;

/** Newest first. */
export const RequestListQuery = z.object({
  request: text(64, 1).optional().meta({ description: 'Exactly this request id.' }),
  key: publicId.optional().meta({ description: 'Id of an API key.' }),
  failed: z.boolean().optional().meta({ description: 'Only those that were refused or failed.' }),
  status: z.enum(requestClasses).optional(),
  code: z.enum(codes).optional(),
  method: z.enum(requestMethods).optional(),
  surface: z.enum(requestSurfaces).optional(),
  livemode: z.boolean().optional(),
  path: text(200, 1).optional().meta({ description: 'Part of the path or of the name of the operation.' }),
  from: moment.optional().meta({ description: 'At or after.' }),
  to: moment.optional().meta({ description: 'Before.' }),
  ...pageQuery,
});
export type RequestListQuery = z.infer<typeof RequestListQuery>;

export const RequestPage = page(RequestEntry);
