import { Deleted, single } from '../../schema/common.ts';
import { TagBody, TagPage } from '../../schema/tags.ts';
import { presentPage } from '../platform/present.ts';
import { procedure, router } from '../platform/trpc.ts';
import { presentTag } from './present.ts';
import { createTag, deleteTag, listTags, updateTag } from './service.ts';

const tag = 'Tags';

export const tagsRouter = router({
  list: procedure(listTags, {
    output: TagPage,
    present: presentPage(presentTag),
    rest: { method: 'GET', path: '/tags', tag, summary: 'List tags', description: 'In name order.' },
  }),
  create: procedure(createTag, {
    output: TagBody,
    present: (row) => ({ data: presentTag(row) }),
    rest: {
      method: 'POST',
      path: '/tags',
      tag,
      summary: 'Create a tag',
      description: 'Names are unique without regard to case; a company has at most 500 tags.',
      status: 201,
    },
  }),
  update: procedure(updateTag, {
    output: TagBody,
    present: (row) => ({ data: presentTag(row) }),
    rest: {
      method: 'PATCH',
      path: '/tags/{tag}',
      tag,
      summary: 'Rename or recolour a tag',
      description: 'Tags of the system are read-only: 403.',
    },
  }),
  delete: procedure(deleteTag, {
    output: single(Deleted),
    present: ({ id }) => ({ data: { id, deleted: true } }),
    rest: {
      method: 'DELETE',
      path: '/tags/{tag}',
      tag,
      summary: 'Delete a tag',
      description: 'Detaches it everywhere.',
    },
  }),
});
