import type { Tag as TagRow } from '../../prisma/generated/client/client.ts';
import { batched } from '../platform/batch.ts';
import type { Context } from '../platform/context.ts';
import { Deleted, mutationField, pageField, queryField } from '../platform/graphql-fields.ts';
import { builder } from '../platform/graphql.ts';
import { usesOfTags } from './attached.ts';
import type { CountedTag, TagUse } from './present.ts';
import { createTag, deleteTag, listTags, showTag, updateTag } from './service.ts';

export const Tag = builder.prismaObject('Tag', {
  description: 'A label for contacts and conversations. System tags are read-only.',
  findUnique: null,
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    color: t.exposeString('color', { description: '`#RRGGBB`.' }),
    system: t.exposeBoolean('system', { description: 'Kept by Parlour; read-only.' }),
    conversationsCount: t.int({
      resolve: async (tag, _args, ctx) => (await useOf(ctx, tag)).conversationsCount,
    }),
    contactsCount: t.int({ resolve: async (tag, _args, ctx) => (await useOf(ctx, tag)).contactsCount }),
    version: t.exposeInt('version', { description: 'Grows with every change.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

const loadUse = batched(usesOfTags);

/** The services count with the row; a tag that was reached through another record is counted when asked. */
async function useOf(ctx: Context, tag: TagRow | CountedTag): Promise<TagUse> {
  if ('contactsCount' in tag) return tag;
  return (await loadUse(ctx, tag.id)) ?? { conversationsCount: 0, contactsCount: 0 };
}

queryField('tag', showTag, { type: Tag, description: 'One tag.' });
pageField('tags', listTags, { type: Tag, description: 'Tags in name order.' });
mutationField('createTag', createTag, { type: Tag, input: 'TagCreateInput', description: 'Creates a tag.' });
mutationField('updateTag', updateTag, {
  type: Tag,
  input: 'TagUpdateInput',
  description: 'Renames or recolours a tag. A field that is absent stays as it is.',
});
mutationField('deleteTag', deleteTag, {
  type: Deleted,
  description: 'Deletes a tag and detaches it everywhere.',
});
