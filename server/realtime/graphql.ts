import type { EventActor } from '../../schema/events.ts';
import type { z } from 'zod';
import { TimelineEntry } from '../conversations/graphql-timeline.ts';
import { Conversation, Presence } from '../conversations/graphql-types.ts';
import type { PresenceState } from '../conversations/presence.ts';
import { queryField, subscriptionField } from '../platform/graphql-fields.ts';
import { builder } from '../platform/graphql.ts';
import type { LogEntry } from '../platform/event-log.ts';
import { noteOf } from './entries.ts';
import { type EventPage, listEvents } from './events.ts';
import { type Followed, isResync } from './follow.ts';
import { followPersonal, type PersonalNews } from './personal.ts';
import { followPresence } from './presence.ts';
import {
  followEvents,
  followInbox,
  followTimeline,
  type InboxChange,
  type TimelineChange,
} from './subscriptions.ts';

const Actor = builder.objectRef<z.infer<typeof EventActor>>('EventActor').implement({
  description: 'Who caused it. A key acts as its user; the system has no id.',
  fields: (t) => ({
    type: t.exposeString('type'),
    id: t.exposeID('id', { nullable: true }),
    name: t.exposeString('name', { nullable: true }),
    requestId: t.exposeString('request_id', { nullable: true }),
  }),
});

const LoggedEvent = builder.objectRef<LogEntry>('Event').implement({
  description: 'Something that happened: the body of a webhook.',
  fields: (t) => ({
    id: t.id({ resolve: ({ event }) => event.id }),
    type: t.string({ resolve: ({ event }) => event.type }),
    sequence: t.expose('sequence', {
      type: 'SafeInt',
      description: 'Grows with every event of a company; gaps are allowed.',
    }),
    createdAt: t.field({ type: 'DateTime', resolve: ({ event }) => new Date(event.created_at) }),
    livemode: t.boolean({ resolve: ({ event }) => event.livemode }),
    company: t.id({ resolve: ({ event }) => event.company }),
    actor: t.field({ type: Actor, resolve: ({ event }) => event.actor }),
    cause: t.string({ nullable: true, resolve: ({ event }) => event.cause }),
    family: t.exposeString('family', { description: 'Kind of record it is about.' }),
    recordId: t.string({ nullable: true, resolve: ({ event }) => textOf(event.data.object['id']) }),
    version: t.int({ nullable: true, resolve: ({ event }) => numberOf(event.data.object['version']) }),
    conversation: t.exposeID('conversationId', { nullable: true }),
    contact: t.exposeID('contactId', { nullable: true }),
    object: t.field({
      type: 'JSON',
      description: 'The record after the change, as REST returns it, or `{id, deleted}`.',
      resolve: ({ event }) => event.data.object,
    }),
    previous: t.field({
      type: 'JSON',
      nullable: true,
      description: 'What changed, with its values before.',
      resolve: ({ event }) => event.data.previous ?? null,
    }),
    details: t.field({ type: 'JSON', nullable: true, resolve: ({ event }) => event.data.details ?? null }),
  }),
});

const EventPageType = builder.objectRef<EventPage>('EventPage').implement({
  description: 'Events, oldest first.',
  fields: (t) => ({
    items: t.field({
      type: [LoggedEvent],
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ entries }) => entries,
    }),
    nextAfter: t.expose('nextAfter', { type: 'SafeInt', description: '`after` of the next call.' }),
    hasMore: t.exposeBoolean('hasMore'),
  }),
});

queryField('events', listEvents, {
  type: EventPageType,
  description: 'The log of events, kept 30 days. Those of families the key may not read are left out.',
});

/** What every item of a resumable subscription says of its place in the log. */
const place = {
  id: 'Id of the event; null when nothing of the log is told.',
  sequence: 'Where to resume: pass the last one received as `after`. Null for what is not in the log.',
  type: 'Name of the event, or `resync`.',
  resync: 'What came before is no longer kept: load the records anew. The stream goes on from here.',
} as const;

const eventOf = (of: Followed) => ('entry' in of ? of.entry.event : null);
const sequenceIn = (of: Followed) => ('entry' in of ? of.entry.sequence : isResync(of) ? of.sequence : null);
const typeOf = (of: Followed) =>
  'entry' in of ? of.entry.event.type : isResync(of) ? 'resync' : of.announcement.type;

const EventItem = builder.objectRef<Followed>('EventItem').implement({
  fields: (t) => ({
    id: t.id({ nullable: true, description: place.id, resolve: (of) => eventOf(of)?.id ?? null }),
    sequence: t.field({ type: 'SafeInt', nullable: true, description: place.sequence, resolve: sequenceIn }),
    type: t.string({ description: place.type, resolve: typeOf }),
    resync: t.boolean({ description: place.resync, resolve: isResync }),
    event: t.field({
      type: LoggedEvent,
      nullable: true,
      resolve: (of) => ('entry' in of ? of.entry : null),
    }),
  }),
});

const TimelineItem = builder.objectRef<TimelineChange>('TimelineItem').implement({
  fields: (t) => ({
    id: t.id({ nullable: true, description: place.id, resolve: ({ of }) => eventOf(of)?.id ?? null }),
    sequence: t.field({
      type: 'SafeInt',
      nullable: true,
      description: place.sequence,
      resolve: ({ of }) => sequenceIn(of),
    }),
    type: t.string({ description: place.type, resolve: ({ of }) => typeOf(of) }),
    resync: t.boolean({ description: place.resync, resolve: ({ of }) => isResync(of) }),
    entry: t.expose('entry', {
      type: TimelineEntry,
      nullable: true,
      description: 'The entry as it is now, new or changed; null for what has no place in the timeline.',
    }),
    object: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The record after the change, as REST returns it.',
      resolve: ({ of }) =>
        'announcement' in of ? of.announcement.object : (eventOf(of)?.data.object ?? null),
    }),
  }),
});

const InboxItem = builder.objectRef<InboxChange>('InboxItem').implement({
  fields: (t) => ({
    id: t.id({ nullable: true, description: place.id, resolve: ({ of }) => eventOf(of)?.id ?? null }),
    sequence: t.field({
      type: 'SafeInt',
      nullable: true,
      description: place.sequence,
      resolve: ({ of }) => sequenceIn(of),
    }),
    type: t.string({ description: place.type, resolve: ({ of }) => typeOf(of) }),
    resync: t.boolean({ description: place.resync, resolve: ({ of }) => isResync(of) }),
    conversation: t.expose('conversation', {
      type: Conversation,
      nullable: true,
      description: 'As it is now; null when the item is about no conversation.',
    }),
    matches: t.exposeBoolean('matches', {
      description: 'Whether a list with these filters has the conversation now.',
    }),
    totalUnread: t.exposeInt('totalUnread', {
      nullable: true,
      description: 'With `counters.updated`: conversations with unread messages, at most once a second.',
    }),
    note: t.field({
      type: TimelineEntry,
      nullable: true,
      description: 'With `conversation.noted`: the note.',
      resolve: ({ of }) => ('entry' in of ? noteOf(of.entry) : null),
    }),
    presence: t.expose('presence', {
      type: Presence,
      nullable: true,
      description: 'With `presence.updated`: who edits a conversation now.',
    }),
  }),
});

const PresenceItem = builder.objectRef<PresenceState>('PresenceItem').implement({
  fields: (t) => ({
    presence: t.field({ type: Presence, resolve: (state) => state }),
    typing: t.exposeBoolean('typing', { description: 'Whether the holder of the lock is composing.' }),
  }),
});

subscriptionField('events', followEvents, {
  type: EventItem,
  description: 'All events of the company that the key may read, resumable without gap or repetition.',
  resolve: (item) => item,
  shared: true,
});
subscriptionField('timeline', followTimeline, {
  type: TimelineItem,
  description: 'What happens in one conversation, resumable without gap or repetition.',
  resolve: (item) => item,
  shared: true,
});
subscriptionField('inbox', followInbox, {
  type: InboxItem,
  description: 'Changes of conversations and of the number on the badge, resumable.',
  resolve: (item) => item,
});
const PersonalItem = builder.objectRef<PersonalNews>('PersonalItem').implement({
  fields: (t) => ({
    type: t.string({
      description: 'Such as `notification.created`, `draft.updated` or `conversation.pinned`.',
      resolve: ({ announcement }) => announcement.type,
    }),
    conversation: t.id({ nullable: true, resolve: ({ announcement }) => announcement.conversation }),
    object: t.field({ type: 'JSON', resolve: ({ announcement }) => announcement.object }),
    unreadNotifications: t.exposeInt('unread', {
      nullable: true,
      description: 'With news of notifications: how many are unread now.',
    }),
  }),
});

subscriptionField('presence', followPresence, {
  type: PresenceItem,
  description: 'Who edits a conversation: now, and whenever it changes.',
  resolve: (item) => item,
});
subscriptionField('personal', followPersonal, {
  type: PersonalItem,
  description: 'What the signed-in agent alone is told, in the dashboard only.',
  resolve: (item) => item,
});

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
