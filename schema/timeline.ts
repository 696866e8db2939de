import { z } from 'zod';
import { idOut, limits, list, moment, pageQuery, single, text, timestamp } from './common.ts';
import { Author, MessageMedia, messageStatuses, messageTypes, ReplySnippet } from './entries.ts';

const entryBase = { id: idOut, at: timestamp, author: Author.nullable() };

/** A message in the timeline. */
export const MessageEntry = z
  .strictObject({
    ...entryBase,
    kind: z.literal('message'),
    direction: z.enum(['inbound', 'outbound']),
    type: z.enum(messageTypes),
    subject: z.string().nullable().meta({ description: 'Of an e-mail that came in; else null.' }),
    text: z.string().nullable(),
    media: MessageMedia.nullable(),
    status: z.enum(messageStatuses),
    failure_reason: z.string().nullable(),
    reply_to: ReplySnippet.nullable(),
    ai_generated: z.boolean(),
    held_until: timestamp.nullable(),
  })
  .meta({ id: 'MessageEntry' });

/** A private note in the timeline; also the answer of adding one. */
export const NoteEntry = z
  .strictObject({
    ...entryBase,
    kind: z.literal('note'),
    text: z.string(),
    mentions: z.array(z.strictObject({ name: z.string(), email: z.string() })),
  })
  .meta({ id: 'NoteEntry' });
export type NoteEntry = z.infer<typeof NoteEntry>;

/** What happened to the conversation: a lifecycle entry of the timeline. */
export const EventEntry = z
  .strictObject({
    ...entryBase,
    kind: z.literal('event'),
    event: z.string().meta({ description: 'A name of the event log.', examples: ['conversation.assigned'] }),
    label: z.string().meta({ description: 'For people, in the language of the company.' }),
    data: z.record(z.string(), z.unknown()).meta({ description: 'Ids, and values before and after.' }),
  })
  .meta({ id: 'EventEntry' });

/** One entry of the merged stream. `at` is strictly increasing within a conversation. Source: decisions §6. */
export const TimelineEntry = z
  .discriminatedUnion('kind', [MessageEntry, NoteEntry, EventEntry])
  .meta({ id: 'TimelineEntry' });
export type TimelineEntry = z.infer<typeof TimelineEntry>;

export const TimelineQuery = z.object({
  limit: pageQuery.limit,
  before: moment.optional().meta({ description: '`meta.next_before` of the page before.' }),
});

export const NoteBody = single(NoteEntry);
export const TimelinePage = z.strictObject({
  data: z.array(TimelineEntry),
  meta: z.strictObject({
    has_more: z.boolean(),
    next_before: timestamp.nullable().meta({ description: 'Null when `has_more` is false.' }),
  }),
});
export type TimelinePage = z.infer<typeof TimelinePage>;

/** What is looked for in one conversation. Dashboard only. */
export const TimelineSearch = z.object({ q: text(limits.query, 1) });
/** A search names at most so many entries. */
export const hitMaximum = 200;
/** Messages and notes that have the text, newest first, at most 200. */
export const TimelineHits = list(
  z.strictObject({ id: idOut, kind: z.enum(['message', 'note']), at: timestamp }),
);

/** The panel of a conversation shows so many files at most. */
export const fileMaximum = 60;
/** Files of a conversation, newest first, each with the message that brought it. Dashboard only. */
export const ConversationFiles = list(z.strictObject({ message: idOut, at: timestamp, media: MessageMedia }));
