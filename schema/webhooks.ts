import { z } from 'zod';
import { idOut, list, moment, page, pageQuery, pathId, publicId, single, text, timestamp } from './common.ts';
import { eventTypes, subscribableTypes } from './events.ts';
import { deliveryResults, deliveryStatuses } from './words.ts';

/** Endpoints of one company. */
export const maxEndpoints = 10;

/** Longest range of events that can be sent again, in days; also how long deliveries are kept. */
export const replayDays = 30;

const url = text(2048, 1).meta({
  format: 'uri',
  minLength: 1,
  maxLength: 2048,
  description: 'https, port 443 or 8443, a public address, no user name in it.',
});

const events = z
  .array(z.enum(['*', ...subscribableTypes]))
  .min(1)
  .max(subscribableTypes.length + 1)
  .meta({ description: 'Event types, or `*` for all, also those that are added later.' });

const description = text(500);

const skipKey = publicId.meta({ description: 'Id of an API key: events that it caused are not sent here.' });

/** A receiver of events. The signing secret is shown once, when it is made. */
export const WebhookEndpoint = z
  .strictObject({
    id: idOut,
    url: z.string(),
    description: z.string().nullable(),
    events: z.array(z.string()),
    enabled: z.boolean(),
    status: z.enum(['enabled', 'failing', 'disabled']).meta({
      description: '`failing`: the last attempt failed, and so did every one since the last success.',
    }),
    disabled_reason: z
      .enum(['manual', 'gone', 'failing'])
      .nullable()
      .meta({ description: '`gone`: it answered 410. `failing`: 120 hours of failures only.' }),
    disabled_at: timestamp.nullable(),
    skip_key: z.string().nullable(),
    last_success_at: timestamp.nullable(),
    last_failure_at: timestamp.nullable(),
    failing_since: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'WebhookEndpoint' });
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

export const WebhookEndpointCreate = z.object({
  url,
  events,
  description: description.nullish(),
  enabled: z.boolean().optional(),
  skip_key: skipKey.nullish(),
});

export const WebhookEndpointPath = z.object({ endpoint: pathId });

export const WebhookEndpointUpdate = z.object({
  endpoint: pathId,
  url: url.optional(),
  events: events.optional(),
  description: description.nullish(),
  enabled: z.boolean().optional(),
  skip_key: skipKey.nullish(),
});

export const WebhookEndpointList = list(WebhookEndpoint);
export const WebhookEndpointBody = single(WebhookEndpoint);
/** The answers that hold a secret: `whsec_` and 32 random bytes in base64. */
export const WebhookEndpointWithSecret = single(
  WebhookEndpoint.extend({ secret: z.string() }).meta({ id: 'WebhookEndpointWithSecret' }),
);

/** Why an attempt failed. */
export const attemptErrors = [
  'connect',
  'timeout',
  'reset',
  'blocked',
  'tls',
  'dns',
  'status',
  'redirect',
] as const;
export type AttemptError = (typeof attemptErrors)[number];

const deliveryFields = {
  id: idOut.meta({ description: '`X-Service-Delivery`, the same in every attempt.' }),
  endpoint: idOut,
  event: idOut.meta({ description: 'Id of the event: `X-Service-Event-Id`.' }),
  type: z.string(),
  sequence: z.int(),
  status: z.enum(deliveryStatuses),
  attempts: z.int(),
  next_attempt_at: timestamp.nullable(),
  last_attempt_at: timestamp.nullable(),
  last_status: z.int().nullable(),
  last_error: z.enum(attemptErrors).nullable(),
  last_duration_ms: z.int().nullable(),
  resent_at: timestamp.nullable(),
  completed_at: timestamp.nullable(),
  created_at: timestamp,
};

/** One event for one endpoint, through all its attempts. Kept 30 days. */
export const WebhookDelivery = z.strictObject(deliveryFields).meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const WebhookAttempt = z
  .strictObject({
    id: idOut,
    number: z.int(),
    trigger: z.enum(['schedule', 'manual']),
    at: timestamp,
    duration_ms: z.int(),
    request_headers: z
      .record(z.string(), z.string())
      .nullable()
      .meta({ description: 'As they were sent; the signature among them.' }),
    response_status: z.int().nullable(),
    response_headers: z.record(z.string(), z.string()).nullable(),
    response_body: z.string().nullable().meta({ description: 'At most 4 kB; shown to the Owner only.' }),
    error: z.enum(attemptErrors).nullable(),
    error_message: z.string().nullable(),
  })
  .meta({ id: 'WebhookAttempt' });
export type WebhookAttempt = z.infer<typeof WebhookAttempt>;

/** A delivery with the bytes that are signed and every attempt, oldest first. */
export const WebhookDeliveryDetail = z
  .strictObject({
    ...deliveryFields,
    body: z.string().nullable().meta({ description: 'Null when the event is no longer kept.' }),
    log: z.array(WebhookAttempt),
  })
  .meta({ id: 'WebhookDeliveryDetail' });
export type WebhookDeliveryDetail = z.infer<typeof WebhookDeliveryDetail>;

export const WebhookDeliveryListQuery = z.object({
  endpoint: publicId.optional(),
  event: publicId.optional(),
  status: z.enum(deliveryStatuses).optional(),
  type: z.enum(eventTypes).optional(),
  from: moment.optional(),
  to: moment.optional(),
  result: z
    .enum(deliveryResults)
    .optional()
    .meta({ description: 'What the last attempt was answered; `none`: no answer came.' }),
  q: text(191, 1).optional().meta({ description: 'Id of a delivery or event, or part of a type.' }),
  /** Live tail: deliveries made after this one, oldest first, without a cursor. */
  after: publicId.optional(),
  ...pageQuery,
});
export type WebhookDeliveryListQuery = z.infer<typeof WebhookDeliveryListQuery>;

export const WebhookDeliveryPage = page(WebhookDelivery);
export const WebhookDeliveryPath = z.object({ delivery: pathId });
export const WebhookDeliveryBody = single(WebhookDelivery);
export const WebhookDeliveryDetailBody = single(WebhookDeliveryDetail);

/** Sends a range of events again: those that did not arrive, or, with `all`, those that did too. */
export const WebhookResendRange = z.object({
  endpoint: pathId,
  from: moment,
  to: moment.optional().meta({ description: 'Now unless given; at most 30 days after `from`.' }),
  all: z.boolean().optional(),
  /** Counts what would be sent and sends nothing. */
  preview: z.boolean().optional(),
});

export const WebhookResendBody = single(
  z
    .strictObject({
      endpoint: idOut,
      resent: z.int(),
      at: timestamp.meta({ description: 'When they were asked for: `resent_at` of each of them.' }),
    })
    .meta({ id: 'WebhookResend' }),
);

/** Asks how far a range is that was sent again, by the `at` of its answer. */
export const WebhookResendProgressQuery = z.object({ endpoint: pathId, at: moment });
export const WebhookResendProgressBody = single(
  z
    .strictObject({
      waiting: z.int().meta({ description: 'Not tried yet, or to be tried again.' }),
      succeeded: z.int(),
      failed: z.int().meta({ description: 'Tried for the last time, or discarded.' }),
    })
    .meta({ id: 'WebhookResendProgress' }),
);

/** Sends one endpoint the latest event of a type, whatever the endpoint asks for. */
export const WebhookSendLatest = z.object({ endpoint: pathId, type: z.enum(subscribableTypes) });

/** How an endpoint has done in the last 24 hours. */
export const WebhookFigures = z
  .strictObject({
    endpoint: idOut,
    deliveries: z.int().meta({ description: 'Events of which at least one attempt was made.' }),
    succeeded: z.int().meta({ description: 'Those of them that arrived.' }),
    p95_ms: z.int().nullable().meta({ description: 'Of its attempts 95 % took no longer.' }),
    last_delivery_at: timestamp.nullable(),
  })
  .meta({ id: 'WebhookFigures' });
export type WebhookFigures = z.infer<typeof WebhookFigures>;

export const WebhookFiguresList = list(WebhookFigures);

/** The demo's own receiver, and what it was sent, newest first. */
export const WebhookCatcher = z
  .strictObject({
    url: z.string().nullable().meta({ description: 'Null where there is none: outside of the demo.' }),
    caught: z.array(
      z.strictObject({
        id: idOut,
        at: timestamp,
        headers: z.record(z.string(), z.string()),
        body: z.string(),
        verified: z
          .boolean()
          .meta({ description: 'A secret of an endpoint at this URL made the signature.' }),
      }),
    ),
  })
  .meta({ id: 'WebhookCatcher' });
export type WebhookCatcher = z.infer<typeof WebhookCatcher>;

export const WebhookCatcherBody = single(WebhookCatcher);
