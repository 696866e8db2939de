import { z } from 'zod';
import { AiSuggestion } from './ai-suggestions.ts';
import { Booking } from './bookings.ts';
import { Campaign } from './campaigns.ts';
import { Contact } from './contacts.ts';
import { Conversation } from './conversations.ts';
import { Message } from './messages.ts';
import { Order } from './orders.ts';
import { Product } from './products.ts';
import type { Scope } from './scopes.ts';

/**
 * The one map of events. From it come webhooks, realtime channels, GraphQL subscriptions, the timeline's
 * lifecycle entries and `GET /events`. Source: decisions §8.
 *
 * A family names the record that `data.object` carries, the scope that may read its events, and its verbs.
 */
export const eventFamilies = {
  message: family('inbox.access', ['received', 'sent', 'delivered', 'read', 'failed']),
  conversation: family('inbox.access', [
    'created',
    'assigned',
    'unassigned',
    'transferred',
    'closed',
    'reopened',
    'archived',
    'unarchived',
    'read',
    'unread',
    'muted',
    'unmuted',
    'tagged',
    'untagged',
    'noted',
    'rated',
    'handoff',
  ]),
  contact: family('inbox.access', [
    'created',
    'updated',
    'deleted',
    'merged',
    'tagged',
    'untagged',
    'subscribed',
    'unsubscribed',
    'blocked',
    'unblocked',
  ]),
  product: family('commerce.view', ['created', 'updated', 'out_of_stock']),
  order: family('commerce.view', ['created', 'status_changed', 'paid', 'refunded', 'cancelled']),
  booking: family('calendar.view', [
    'created',
    'updated',
    'rescheduled',
    'confirmed',
    'cancelled',
    'completed',
    'no_show',
  ]),
  campaign: family('campaigns.view', [
    'scheduled',
    'started',
    'paused',
    'resumed',
    'completed',
    'cancelled',
    'failed',
  ]),
  ai_suggestion: family('inbox.access', ['created', 'approved', 'dismissed']),
  webhook: family(null, ['ping']),
} as const;

export type EventFamily = keyof typeof eventFamilies;
export type EventType = {
  [F in EventFamily]: `${F}.${(typeof eventFamilies)[F]['verbs'][number]}`;
}[EventFamily];

/** Public shape of the record in `data.object`, per family. Families gain their schema with their resource. */
export const eventObjects = {
  contact: Contact,
  conversation: Conversation,
  message: Message,
  product: Product,
  order: Order,
  booking: Booking,
  campaign: Campaign,
  ai_suggestion: AiSuggestion,
} as const;

type KnownObjects = { [F in keyof typeof eventObjects]: z.infer<(typeof eventObjects)[F]> };
type FamilyOf<T extends EventType> = T extends `${infer F}.${string}` ? F : never;
type DeletedRecord = { id: string; deleted: true };

/** What `data.object` of an event holds: the record as the API returns it, or `{id, deleted}`. */
export type EventObject<T extends EventType> =
  | (FamilyOf<T> extends keyof KnownObjects
      ? KnownObjects[FamilyOf<T>]
      : Record<string, unknown> & { id: string })
  | DeletedRecord;

export const eventTypes: readonly EventType[] = Object.entries(eventFamilies).flatMap(([name, { verbs }]) =>
  verbs.map((verb) => `${name}.${verb}` as EventType),
);

/** What an endpoint can ask for: every type but the ping, which only answers "send test". */
export const subscribableTypes = eventTypes.filter((type) => type !== 'webhook.ping');

/** Who caused an event. `api_key` acts as its user; `system` has no id. */
export const EventActor = z
  .strictObject({
    type: z.enum(['api_key', 'user', 'contact', 'ai', 'system']),
    id: z.string().nullable(),
    name: z.string().nullable(),
    request_id: z.string().nullable(),
  })
  .meta({ id: 'EventActor' });

/** The body of a webhook, of a realtime message and of an entry of `GET /events`. At most 256 KiB. */
export const Event = z
  .strictObject({
    id: z.string(),
    type: z.string(),
    api_version: z.literal('v1'),
    created_at: z.string(),
    livemode: z.boolean(),
    company: z.string(),
    sequence: z.int().meta({ description: 'Grows with every event of a company; gaps are allowed.' }),
    actor: EventActor,
    cause: z.string().nullable(),
    data: z.strictObject({
      object: z.record(z.string(), z.unknown()),
      previous: z.record(z.string(), z.unknown()).optional(),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
  })
  .meta({ id: 'Event' });

export type Event = z.infer<typeof Event>;

function family<const Verbs extends readonly string[]>(scope: Scope | null, verbs: Verbs) {
  return { scope, verbs };
}
