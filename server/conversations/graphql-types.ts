import type { LastMessage } from '../../schema/conversations.ts';
import { contactsById } from '../contacts/loaders.ts';
import { Contact } from '../contacts/graphql.ts';
import { batched } from '../platform/batch.ts';
import { firstArg, takeFirst } from '../platform/graphql-fields.ts';
import { builder } from '../platform/graphql.ts';
import { tagsById } from '../tags/attached.ts';
import { Tag } from '../tags/graphql.ts';
import { AuthorType, ConversationAgent, timelineField, TimelinePage } from './graphql-timeline.ts';
import { allowedActions, isMuted } from './present.ts';
import { presenceOf, type PresenceState } from './presence.ts';
import { followersOf, type ConversationRecord } from './record.ts';
import { replyWindowOf } from './reply-window.ts';

const loadContact = batched(contactsById);
const loadTag = batched(tagsById);
const loadFollowers = batched(followersOf);
const loadPresence = batched(presenceOf);

const ConversationContact = builder.objectRef<ConversationRecord>('ConversationContact').implement({
  description: 'The contact as the inbox shows it; a deleted one is named `Deleted contact`.',
  fields: (t) => ({
    id: t.exposeID('contactId'),
    name: t.exposeString('contactName', { nullable: true }),
    phone: t.exposeString('contactPhone', { nullable: true }),
    email: t.exposeString('contactEmail', { nullable: true }),
    profile: t.field({
      type: Contact,
      nullable: true,
      access: 'contacts.view',
      description: 'The whole record; null when deleted. Needs `contacts.view`.',
      resolve: ({ contactId }, _args, ctx) => loadContact(ctx, contactId),
    }),
  }),
});

const ConversationTeam = builder.objectRef<{ id: string; name: string }>('ConversationTeam').implement({
  fields: (t) => ({ id: t.exposeID('id'), name: t.exposeString('name') }),
});

const LastMessageType = builder.objectRef<LastMessage>('LastMessage').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    direction: t.exposeString('direction'),
    type: t.exposeString('type'),
    snippet: t.exposeString('snippet'),
    status: t.exposeString('status'),
    at: t.field({ type: 'DateTime', resolve: ({ at }) => new Date(at) }),
  }),
});

const ReplyWindow = builder.objectRef<{ open: boolean; expiresAt: Date | null }>('ReplyWindow').implement({
  fields: (t) => ({
    open: t.exposeBoolean('open'),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
  }),
});

const Held = builder.objectRef<{ count: number; sendAt: Date }>('HeldReplies').implement({
  fields: (t) => ({ count: t.exposeInt('count'), sendAt: t.expose('sendAt', { type: 'DateTime' }) }),
});

const ConversationAi = builder.objectRef<ConversationRecord>('ConversationAi').implement({
  fields: (t) => ({
    autoReply: t.exposeString('aiAutoReply', { description: 'on, paused or off.' }),
    pendingSuggestions: t.exposeInt('pendingSuggestions'),
  }),
});

export const Presence = builder.objectRef<PresenceState>('Presence').implement({
  description: 'Who edits the conversation now. The lock is advisory.',
  fields: (t) => ({
    conversation: t.exposeID('conversationId'),
    locked: t.boolean({ resolve: ({ holderId }) => holderId !== null }),
    lockedByOther: t.boolean({
      resolve: ({ holderId }, _args, { principal }) => holderId !== null && holderId !== principal.user?.id,
    }),
    editingBy: t.exposeString('holderName', { nullable: true }),
    isMe: t.boolean({
      resolve: ({ holderId }, _args, { principal }) => holderId !== null && holderId === principal.user?.id,
    }),
  }),
});

export const Conversation = builder.objectRef<ConversationRecord>('Conversation').implement({
  description: 'A thread with one contact on one channel.',
  fields: (t) => ({
    id: t.exposeID('id'),
    contact: t.field({ type: ConversationContact, resolve: (record) => record }),
    channel: t.exposeString('channelKind', { description: 'Kind of channel.' }),
    status: t.exposeString('status', { description: 'open or closed.' }),
    archived: t.exposeBoolean('archived'),
    muted: t.boolean({ resolve: (record, _args, ctx) => isMuted(record, ctx.now()) }),
    mutedUntil: t.field({
      type: 'DateTime',
      nullable: true,
      resolve: (record, _args, ctx) => (isMuted(record, ctx.now()) ? record.mutedUntil : null),
    }),
    pinned: t.exposeBoolean('pinned', { description: 'By the acting user.' }),
    followed: t.exposeBoolean('followed', { description: 'By the acting user.' }),
    read: t.boolean({ resolve: ({ unreadCount }) => unreadCount === 0 }),
    unreadCount: t.exposeInt('unreadCount'),
    assignee: t.field({
      type: ConversationAgent,
      nullable: true,
      resolve: ({ assigneeName: name, assigneeEmail: email }) =>
        name === null || email === null ? null : { name, email },
    }),
    team: t.field({
      type: ConversationTeam,
      nullable: true,
      resolve: ({ teamId: id, teamName: name }) => (id === null ? null : { id, name: name ?? '' }),
    }),
    tags: t.field({
      type: [Tag],
      description: 'In the order they were attached.',
      args: firstArg(),
      resolve: async (record, args, ctx) => {
        const wanted = takeFirst(record.tags, args);
        const rows = await Promise.all(wanted.map(({ id }) => loadTag(ctx, id)));
        return rows.filter((row) => row !== undefined);
      },
    }),
    rating: t.exposeInt('rating', { nullable: true }),
    ratingComment: t.exposeString('ratingComment', { nullable: true }),
    lastMessage: t.expose('lastMessage', { type: LastMessageType, nullable: true }),
    lastMessageAt: t.expose('lastMessageAt', { type: 'DateTime' }),
    waitingSince: t.expose('waitingSince', { type: 'DateTime', nullable: true }),
    firstResponseAt: t.expose('firstResponseAt', { type: 'DateTime', nullable: true }),
    replyWindow: t.field({
      type: ReplyWindow,
      resolve: ({ channelKind, lastInboundAt }, _args, ctx) =>
        replyWindowOf(channelKind, lastInboundAt, ctx.now()),
    }),
    held: t.field({
      type: Held,
      nullable: true,
      resolve: ({ heldCount: count, heldUntil: sendAt }) => (sendAt ? { count, sendAt } : null),
    }),
    ai: t.field({ type: ConversationAi, resolve: (record) => record }),
    closedAt: t.expose('closedAt', { type: 'DateTime', nullable: true }),
    closedBy: t.expose('closedBy', { type: AuthorType, nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    version: t.exposeInt('version', { description: 'Grows with every change.' }),
    allowedActions: t.stringList({
      resolve: (record, _args, ctx) => allowedActions(record, isMuted(record, ctx.now())),
    }),
    followersCount: t.int({
      resolve: async (record, _args, ctx) => (await loadFollowers(ctx, record.id)) ?? 0,
    }),
    presence: t.field({
      type: Presence,
      resolve: async ({ id }, _args, ctx) =>
        (await loadPresence(ctx, id)) ?? {
          conversationId: id,
          holderId: null,
          holderName: null,
          typing: false,
        },
    }),
    timeline: t.field({
      type: TimelinePage,
      description: 'Messages, private notes and lifecycle events, newest first.',
      args: { ...firstArg(), before: t.arg.string({ required: false }) },
      resolve: ({ id }, args, ctx) => timelineField(ctx, id, args),
    }),
  }),
});
