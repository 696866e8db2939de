import { z } from 'zod';
import { pageQuery, publicId, text } from './common.ts';
import { Event, eventFamilies } from './events.ts';
import type { Scope } from './scopes.ts';

/** Scopes that may read at least one family of the event log. */
export const eventScopes: readonly Scope[] = [
  ...new Set(Object.values(eventFamilies).flatMap(({ scope }) => (scope === null ? [] : [scope]))),
];

/** How long events are kept, in days. */
export const eventRetentionDays = 30;

const sequence = z.int().min(0);

/** Query of `GET /events`, oldest first. */
export const EventListQuery = z.object({
  after: sequence
    .optional()
    .meta({ description: '`sequence` of the last event known. Absent or 0: from the oldest that is kept.' }),
  limit: pageQuery.limit,
});
export type EventListQuery = z.infer<typeof EventListQuery>;

export const EventPage = z.strictObject({
  data: z.array(Event),
  meta: z.strictObject({
    has_more: z.boolean(),
    next_after: sequence.meta({
      description: '`after` of the next call. Everything up to it has been served.',
    }),
  }),
});

/**
 * Told over realtime connections only: never in the log, never by webhook, so they can't be resumed.
 * Same envelope as an event, `sequence` null.
 */
export const transientTypes = [
  'presence.updated',
  'typing',
  'message.held',
  'message.updated',
  'counters.updated',
  'insights.updated',
  'notification.created',
  'notification.read',
  'draft.updated',
  'agent.updated',
  'conversation.pinned',
  'conversation.unpinned',
  'conversation.followed',
  'conversation.unfollowed',
] as const;
export type TransientType = (typeof transientTypes)[number];

/** Where a subscription resumes: `sequence` or id of the last event received. */
const resumeAfter = publicId
  .meta({
    description: '`sequence` or `id` of the last event received. Absent: only what happens from now on.',
  })
  .optional();

export const resumable = { after: resumeAfter };

/** Longest event on a realtime channel, in bytes; larger ones are sent as `{id, type, sequence, truncated}`. */
export const channelEventMaximum = 10_240;

/** Body of the channel authorisation, JSON or form-encoded as the Pusher clients send it. */
export const BroadcastingAuth = z.object({
  socket_id: text(64, 1)
    .regex(/^\d+\.\d+$/, 'Must be the id of a socket, such as 123.456.')
    .meta({ pattern: '^\\d+\\.\\d+$', minLength: 1, maxLength: 64, examples: ['8134.29467'] }),
  channel_name: text(164, 1)
    .regex(/^[A-Za-z0-9_\-=@,.;]+$/, 'Must be the name of a channel.')
    .meta({
      pattern: '^[A-Za-z0-9_\\-=@,.;]+$',
      minLength: 1,
      maxLength: 164,
      examples: ['private-company.01JQZ7K3M9V5T2XH8C4B6N0DFG'],
    }),
});
export type BroadcastingAuth = z.infer<typeof BroadcastingAuth>;

/** Answer of the channel authorisation, not wrapped: what the Pusher clients expect. */
export const BroadcastingAuthAnswer = z
  .strictObject({
    auth: z.string().meta({ description: '`<app key>:<hex HMAC-SHA256>`.' }),
    channel_data: z.string().optional().meta({ description: 'Presence channels only: the member, as JSON.' }),
  })
  .meta({ id: 'BroadcastingAuthAnswer' });
export type BroadcastingAuthAnswer = z.infer<typeof BroadcastingAuthAnswer>;

/** What a Pusher client has to know to connect, and the channels this key may join. */
export const RealtimeSettings = z
  .strictObject({
    key: z.string().meta({ description: 'App key of this installation; no secret.' }),
    path: z.string().meta({ description: 'Path of the WebSocket.', examples: ['/app/3f0c…'] }),
    auth_endpoint: z.string(),
    activity_timeout: z.int().meta({ description: 'Seconds.' }),
    channels: z.array(z.string()).meta({ description: 'Channels of the company and of the acting user.' }),
  })
  .meta({ id: 'RealtimeSettings' });
export type RealtimeSettings = z.infer<typeof RealtimeSettings>;

export const RealtimeSettingsBody = z.strictObject({ data: RealtimeSettings });
