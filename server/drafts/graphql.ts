import { TimelineEntry } from '../conversations/graphql-timeline.ts';
import { Media } from '../media/graphql.ts';
import { presentMediaRef } from '../media/present.ts';
import { Message } from '../messages/graphql.ts';
import { firstArg, listField, mutationField, queryField, takeFirst } from '../platform/graphql-fields.ts';
import { builder } from '../platform/graphql.ts';
import type { DraftRecord } from './record.ts';
import { addDraftNote, deleteDraft, getDraft, listDrafts, saveDraft, sendDraft } from './service.ts';

const Draft = builder.objectRef<DraftRecord>('Draft').implement({
  description: 'What an agent has written in a thread and not sent yet. Nobody else sees it.',
  fields: (t) => ({
    conversation: t.exposeID('conversationId'),
    mode: t.exposeString('mode', { description: 'reply or note.' }),
    text: t.exposeString('text'),
    media: t.field({
      type: [Media],
      args: firstArg(),
      resolve: ({ media }, args, { app }) => takeFirst(media, args).map((file) => presentMediaRef(file, app)),
    }),
    replyTo: t.id({ nullable: true, resolve: ({ data }) => data.replyToId ?? null }),
    mentions: t.stringList({
      description: 'E-mails of agents.',
      resolve: ({ data }) => data.mentions ?? [],
    }),
    version: t.exposeInt('version', { description: 'Goes into the next save; 0: never saved.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: true }),
  }),
});

queryField('draft', getDraft, {
  type: Draft,
  description: 'The own draft in a conversation, in the dashboard only.',
});
listField('drafts', listDrafts, {
  type: Draft,
  description: 'The own drafts that have content, the last saved first, in the dashboard only.',
});
mutationField('saveDraft', saveDraft, {
  type: Draft,
  input: 'DraftSaveInput',
  description: 'Replaces the own draft in a conversation; an older version never overwrites a newer one.',
});
mutationField('deleteDraft', deleteDraft, {
  type: Draft,
  input: 'DraftDeleteInput',
  description: 'Empties the own draft in a conversation, unless it was saved anew.',
});
mutationField('sendDraft', sendDraft, {
  type: Message,
  input: 'DraftSendInput',
  description: 'Sends a message and empties the draft it was made of, in the dashboard only.',
});
mutationField('addDraftNote', addDraftNote, {
  type: TimelineEntry,
  input: 'DraftNoteInput',
  description: 'Adds a private note and empties the draft it was made of, in the dashboard only.',
});
