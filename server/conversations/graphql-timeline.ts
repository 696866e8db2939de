import type { Author, ReplySnippet } from '../../schema/entries.ts';
import { type TimelineEntry as Entry, TimelineQuery } from '../../schema/timeline.ts';
import { Media } from '../media/graphql.ts';
import { batched } from '../platform/batch.ts';
import type { Context } from '../platform/context.ts';
import { firstArg, takeFirst } from '../platform/graphql-fields.ts';
import { builder } from '../platform/graphql.ts';
import { validationError } from '../platform/validation.ts';
import { nextBefore, presentEntry } from './present-timeline.ts';
import { type Timeline, timelinesOf } from './timeline.ts';

export interface Agent {
  name: string;
  email: string;
}

export const ConversationAgent = builder.objectRef<Agent>('ConversationAgent').implement({
  fields: (t) => ({ name: t.exposeString('name'), email: t.exposeString('email') }),
});

export const AuthorType = builder.objectRef<Author>('Author').implement({
  description: 'Who wrote or did it.',
  fields: (t) => ({
    type: t.exposeString('type'),
    name: t.exposeString('name', { nullable: true }),
    email: t.exposeString('email', { nullable: true }),
  }),
});

export const ReplyTo = builder.objectRef<ReplySnippet>('ReplySnippet').implement({
  description: 'The message that another one answers.',
  fields: (t) => ({
    id: t.exposeID('id'),
    snippet: t.exposeString('snippet'),
    author: t.expose('author', { type: AuthorType }),
  }),
});

type OfKind<K extends Entry['kind']> = Extract<Entry, { kind: K }>;

/** A field that entries of one kind have; for the others it is null. */
function only<K extends Entry['kind'], T>(kind: K, read: (entry: OfKind<K>) => T) {
  return (entry: Entry): T | null => (isOf(entry, kind) ? read(entry) : null);
}

function isOf<K extends Entry['kind']>(entry: Entry, kind: K): entry is OfKind<K> {
  return entry.kind === kind;
}

export const TimelineEntry = builder.objectRef<Entry>('TimelineEntry').implement({
  description: 'A message, a private note or a lifecycle event; fields of the other kinds are null.',
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.exposeString('kind', { description: 'message, note or event.' }),
    at: t.field({ type: 'DateTime', resolve: (entry) => new Date(entry.at) }),
    author: t.expose('author', { type: AuthorType, nullable: true }),
    subject: t.string({ nullable: true, resolve: only('message', (entry) => entry.subject) }),
    text: t.string({ nullable: true, resolve: (entry) => (entry.kind === 'event' ? null : entry.text) }),
    direction: t.string({ nullable: true, resolve: only('message', (entry) => entry.direction) }),
    type: t.string({ nullable: true, resolve: only('message', (entry) => entry.type) }),
    status: t.string({ nullable: true, resolve: only('message', (entry) => entry.status) }),
    failureReason: t.string({ nullable: true, resolve: only('message', (entry) => entry.failure_reason) }),
    media: t.field({ type: Media, nullable: true, resolve: only('message', (entry) => entry.media) }),
    replyTo: t.field({ type: ReplyTo, nullable: true, resolve: only('message', (entry) => entry.reply_to) }),
    aiGenerated: t.boolean({ nullable: true, resolve: only('message', (entry) => entry.ai_generated) }),
    heldUntil: t.field({
      type: 'DateTime',
      nullable: true,
      resolve: only('message', (entry) => (entry.held_until === null ? null : new Date(entry.held_until))),
    }),
    mentions: t.field({
      type: [ConversationAgent],
      nullable: true,
      args: firstArg(),
      resolve: (entry, args) => (entry.kind === 'note' ? takeFirst(entry.mentions, args) : null),
    }),
    event: t.string({ nullable: true, resolve: only('event', (entry) => entry.event) }),
    label: t.string({ nullable: true, resolve: only('event', (entry) => entry.label) }),
    data: t.field({ type: 'JSON', nullable: true, resolve: only('event', (entry) => entry.data) }),
  }),
});

export const TimelinePage = builder.objectRef<Timeline>('TimelinePage').implement({
  description: 'Entries, newest first.',
  fields: (t) => ({
    items: t.field({
      type: [TimelineEntry],
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ rows }, _args, { app }) => rows.map((row) => presentEntry(row, app)),
    }),
    nextBefore: t.string({
      nullable: true,
      description: '`before` of the next page; null when there is none.',
      resolve: nextBefore,
    }),
    hasMore: t.exposeBoolean('hasMore'),
  }),
});

/** Keys are `[id, slice]`: conversations that ask for the same slice are read in one statement. */
const loadSlices = batched(async (ctx, keys: string[]) => {
  const found = new Map<string, Timeline>();
  const asked = keys.map((key) => ({ key, ...parseKey(key) }));
  for (const [slice, group] of Map.groupBy(asked, (one) => one.slice)) {
    const ids = group.map((one) => one.id);
    const timelines = await timelinesOf(ctx, ids, TimelineQuery.parse(JSON.parse(slice)));
    for (const { key, id } of group) found.set(key, timelines.get(id) ?? { rows: [], hasMore: false });
  }
  return found;
});

function parseKey(key: string): { id: string; slice: string } {
  const [id = '', slice = ''] = key.split('\n');
  return { id, slice };
}

/** The timeline as a field of a conversation. @throws AppError `validation_failed` for a bad `first` or `before` */
export async function timelineField(ctx: Context, id: string, args: object): Promise<Timeline> {
  const given = { limit: argument(args, 'first'), before: argument(args, 'before') };
  const slice = TimelineQuery.safeParse(given);
  if (!slice.success) throw validationError(slice.error, given);
  return (await loadSlices(ctx, `${id}\n${JSON.stringify(slice.data)}`)) ?? { rows: [], hasMore: false };
}

function argument(args: object, name: string): unknown {
  return Reflect.get(args, name) ?? undefined;
}
