import { z } from 'zod';
import {
  email,
  flag,
  idOut,
  issue,
  limits,
  list,
  moment,
  page,
  pageQuery,
  publicId,
  searchText,
  single,
  text,
  timestamp,
} from './common.ts';
import { Author, messageStatuses, messageTypes } from './entries.ts';

export const conversationStatuses = ['open', 'closed'] as const;

/** What may be done with a conversation in its present state; the words are those of the paths. */
export const conversationActions = [
  'assign',
  'unassign',
  'transfer',
  'close',
  'reopen',
  'read',
  'unread',
  'mute',
  'unmute',
  'archive',
  'unarchive',
  'pin',
  'unpin',
  'follow',
  'unfollow',
  'notes',
  'tags',
  'flush-held',
] as const;
export type ConversationAction = (typeof conversationActions)[number];

/** The newest message, as the inbox shows it. */
export const LastMessage = z
  .strictObject({
    id: idOut,
    direction: z.enum(['inbound', 'outbound']),
    type: z.enum(messageTypes),
    snippet: z.string().meta({ maxLength: 160, description: 'Beginning of the text, on one line.' }),
    status: z.enum(messageStatuses),
    at: timestamp,
  })
  .meta({ id: 'LastMessage' });
export type LastMessage = z.infer<typeof LastMessage>;

/** A thread with one contact on one channel. Source: decisions §6. */
export const Conversation = z
  .strictObject({
    id: idOut,
    contact: z
      .strictObject({
        id: idOut,
        name: z.string().nullable(),
        phone: z.string().nullable(),
        email: z.string().nullable(),
      })
      .meta({ description: 'A deleted contact is named `Deleted contact`.' }),
    channel: z.string().meta({ description: 'Kind of channel.', examples: ['whatsapp'] }),
    status: z.enum(conversationStatuses),
    archived: z.boolean(),
    muted: z.boolean().meta({ description: 'Currently: false once `muted_until` has passed.' }),
    muted_until: timestamp.nullable().meta({ description: 'Null with `muted` means without end.' }),
    pinned: z.boolean().meta({ description: 'By the acting user.' }),
    followed: z.boolean().meta({ description: 'By the acting user.' }),
    read: z.boolean(),
    unread_count: z.int().min(0).meta({ description: 'Inbound messages since the last human read.' }),
    assignee: z.strictObject({ name: z.string(), email: z.string() }).nullable(),
    team: z.strictObject({ id: idOut, name: z.string() }).nullable(),
    tags: z
      .array(z.strictObject({ id: idOut, name: z.string(), color: z.string() }))
      .meta({ description: 'In the order they were attached.' }),
    rating: z.int().min(1).max(5).nullable(),
    rating_comment: z.string().nullable(),
    last_message: LastMessage.nullable(),
    last_message_at: timestamp.meta({ description: 'Of creation while there is no message.' }),
    waiting_since: timestamp.nullable().meta({ description: 'Since when the customer waits for an answer.' }),
    first_response_at: timestamp.nullable(),
    reply_window: z
      .strictObject({ open: z.boolean(), expires_at: timestamp.nullable() })
      .meta({ description: 'Whether the channel lets anything but a template be sent now, and until when.' }),
    held: z
      .strictObject({ count: z.int().min(1), send_at: timestamp })
      .nullable()
      .meta({ description: 'Replies that wait before they are sent.' }),
    ai: z.strictObject({
      auto_reply: z.enum(['on', 'paused', 'off']),
      pending_suggestions: z.int().min(0),
    }),
    closed_at: timestamp.nullable(),
    closed_by: Author.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    version: z.int().min(1).meta({ description: 'Grows with every change of the conversation.' }),
    allowed_actions: z.array(z.enum(conversationActions)),
    followers_count: z.int().min(0).optional().meta({ description: 'Only when one conversation is shown.' }),
  })
  .meta({ id: 'Conversation' });
export type Conversation = z.infer<typeof Conversation>;

/** An agent, by e-mail; `me` is the acting user. */
export const assignee = text(limits.email, 1).meta({
  minLength: 1,
  maxLength: limits.email,
  description: "An agent's e-mail, or `me`.",
  examples: ['me', 'ana@example.com'],
});

/** Query of the list, newest activity first. */
export const ConversationListQuery = z.object({
  status: z.enum(conversationStatuses).optional(),
  assignee: assignee.optional(),
  channel: text(30).optional().meta({ maxLength: 30, description: 'Kind or name of a channel.' }),
  tag: publicId.optional(),
  contact: publicId.optional(),
  q: searchText.optional().meta({ description: "Text in the contact's name or phone, or in a message." }),
  archived: flag.optional(),
  unassigned: flag.optional(),
  read: flag.optional(),
  muted: flag.optional(),
  period: z
    .enum(['today', 'week', 'month'])
    .optional()
    .meta({ description: "By last activity, in the company's time zone; weeks start on Monday." }),
  rating: z.int().min(1).max(5).optional(),
  ...pageQuery,
});
export type ConversationListQuery = z.infer<typeof ConversationListQuery>;

export const ConversationAssign = z.object({ assignee });
/** Takes a conversation from whom one knew it with. */
export const ConversationTake = z.object({
  from: email
    .nullable()
    .meta({ description: 'E-mail of whoever had it when it was looked at; null: nobody.' }),
});
export const ConversationMute = z.object({
  until: moment.nullish().meta({ description: 'In the future; null or absent is without end.' }),
});

/** At most this many agents are mentioned in a note. */
export const mentionMaximum = 50;
const noteText = text(2000, 1);

export const ConversationNote = z.object({
  body: noteText,
  mentions: z
    .array(email)
    .max(mentionMaximum)
    .nullish()
    .meta({ description: 'E-mails of agents. Absent, null and an empty array all mean none.' }),
});
export const ConversationTagAttach = z.object({ tag: publicId });

export const ConversationTransfer = z
  .object({
    assignee: assignee.optional(),
    team: text(50, 1).optional().meta({ minLength: 1, maxLength: 50, description: 'Id or slug of a team.' }),
    note: text(2000).nullish().meta({ description: 'Kept as a private note that mentions the target.' }),
    follow: z.boolean().optional().meta({
      default: true,
      description: 'Whether the previous assignee keeps following.',
    }),
  })
  .superRefine((input, context) => {
    const given = [input.assignee, input.team].filter((value) => value !== undefined).length;
    if (given === 0)
      context.addIssue({ ...issue('required', 'Give an assignee or a team.'), path: ['assignee'] });
    if (given === 2)
      context.addIssue({ ...issue('not_allowed', 'Give an assignee or a team, not both.'), path: ['team'] });
  });

export const bulkMaximum = 200;
export const bulkActions = [
  'read',
  'unread',
  'close',
  'open',
  'assign',
  'unassign',
  'mute',
  'unmute',
  'tag',
  'untag',
] as const;
export type BulkAction = (typeof bulkActions)[number];

export const ConversationBulk = z
  .object({
    conversation_ids: z.array(publicId).min(1).max(bulkMaximum),
    action: z.enum(bulkActions),
    assignee: assignee.optional().meta({ description: 'For assign.' }),
    tag: publicId.optional().meta({ description: 'For tag and untag. An unknown one matches nothing.' }),
    until: moment.nullish().meta({ description: 'For mute.' }),
  })
  .superRefine((input, context) => {
    const needs = { assign: 'assignee', tag: 'tag', untag: 'tag' } as const;
    const needed = input.action in needs ? needs[input.action as keyof typeof needs] : undefined;
    if (needed && input[needed] === undefined)
      context.addIssue({ ...issue('required', `Is required to ${input.action}.`), path: [needed] });
  });
export type ConversationBulk = z.infer<typeof ConversationBulk>;

export const ConversationBulkResult = z
  .strictObject({
    action: z.enum(bulkActions),
    requested: z.int().min(0).meta({ description: 'Length of `conversation_ids` as sent.' }),
    affected: z.int().min(0).meta({ description: 'Conversations really changed.' }),
    unknown: z
      .array(z.string())
      .meta({ description: 'Ids that did not match, in the order they were sent.' }),
  })
  .meta({ id: 'ConversationBulkResult' });
export type ConversationBulkResult = z.infer<typeof ConversationBulkResult>;

/** Who edits a conversation now. The lock is advisory. Source: decisions §10. */
export const Presence = z
  .strictObject({
    conversation: idOut,
    locked: z.boolean(),
    locked_by_other: z.boolean(),
    editing_by: z.string().nullable().meta({ description: 'Display name.' }),
    is_me: z.boolean(),
  })
  .meta({ id: 'Presence' });
export type Presence = z.infer<typeof Presence>;

export const PresenceUpdate = z.object({
  action: z.enum(['claim', 'release']),
  typing: z
    .boolean()
    .optional()
    .meta({ default: false, description: 'The agent is composing; holds for 6 s.' }),
  force: z.boolean().optional().meta({ default: false, description: 'Takes the lock from whoever has it.' }),
});
export type PresenceUpdate = z.infer<typeof PresenceUpdate>;

const listed = page(Conversation);
export const ConversationPage = listed.extend({
  meta: listed.shape.meta.extend({
    total_unread: z
      .int()
      .min(0)
      .meta({ description: "Of the company's conversations, whatever the filters." }),
  }),
});
export const ConversationBody = single(Conversation);
export const ConversationBulkBody = single(ConversationBulkResult);
export const PresenceBody = single(Presence);
/** Agents who follow a conversation. Dashboard only. */
export const FollowerList = list(z.strictObject({ name: z.string(), email: z.string() }));
export const PresenceList = list(Presence);
export const FlushHeldBody = single(z.strictObject({ flushed: z.boolean() }));
