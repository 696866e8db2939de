import { Media } from '../media/graphql.ts';
import { presentMediaRef } from '../media/present.ts';
import { Deleted, mutationField, pageField } from '../platform/graphql-fields.ts';
import { builder } from '../platform/graphql.ts';
import type { QuickReplyRecord } from './present.ts';
import { createQuickReply, deleteQuickReply, listQuickReplies, updateQuickReply } from './service.ts';

const QuickReplyAuthor = builder.objectRef<{ name: string; email: string }>('QuickReplyAuthor').implement({
  fields: (t) => ({ name: t.exposeString('name'), email: t.exposeString('email') }),
});

const QuickReply = builder.objectRef<QuickReplyRecord>('QuickReply').implement({
  description: 'A saved answer with variables.',
  fields: (t) => ({
    id: t.exposeID('id'),
    shortcut: t.exposeString('shortcut'),
    title: t.exposeString('title', { nullable: true }),
    text: t.exposeString('text'),
    variables: t.exposeStringList('variables', {
      description: 'Names used in the text, in order of appearance.',
    }),
    media: t.field({
      type: Media,
      nullable: true,
      resolve: ({ media }, _args, { app }) => media && presentMediaRef(media, app),
    }),
    category: t.exposeString('category', { nullable: true }),
    usageCount: t.exposeInt('usageCount'),
    createdBy: t.field({ type: QuickReplyAuthor, nullable: true, resolve: ({ createdBy }) => createdBy }),
    version: t.exposeInt('version', { description: 'Grows with every change.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

pageField('quickReplies', listQuickReplies, {
  type: QuickReply,
  description: 'Quick replies in order of shortcuts.',
});
mutationField('createQuickReply', createQuickReply, {
  type: QuickReply,
  input: 'QuickReplyCreateInput',
  description: 'Creates a quick reply.',
});
mutationField('updateQuickReply', updateQuickReply, {
  type: QuickReply,
  input: 'QuickReplyUpdateInput',
  description:
    'Changes a quick reply, in the dashboard only. A field that is absent stays as it is; null clears it.',
});
mutationField('deleteQuickReply', deleteQuickReply, {
  type: Deleted,
  description: 'Deletes a quick reply, in the dashboard only.',
});
