import type { ViewCounts } from '../../schema/views.ts';
import { Deleted, listField, mutationField, queryField } from '../platform/graphql-fields.ts';
import { builder } from '../platform/graphql.ts';
import type { SavedViewRecord } from './record.ts';
import { createSavedView, deleteSavedView, listSavedViews, updateSavedView, viewCounts } from './service.ts';

const Counts = builder.objectRef<ViewCounts>('ViewCounts').implement({
  description: 'Conversations in each standard view; 10000 means so many or more.',
  fields: (t) => ({
    mine: t.exposeInt('mine'),
    unassigned: t.exposeInt('unassigned'),
    open: t.exposeInt('open'),
    mentions: t.exposeInt('mentions'),
    followed: t.exposeInt('followed'),
    muted: t.exposeInt('muted'),
    archived: t.exposeInt('archived'),
    closed: t.exposeInt('closed'),
  }),
});

const SavedView = builder.objectRef<SavedViewRecord>('SavedView').implement({
  description: "A named filter of a list, one's own or shared with the company.",
  fields: (t) => ({
    id: t.exposeID('id'),
    resource: t.exposeString('resource', { description: 'Name of the list.' }),
    name: t.exposeString('name'),
    filters: t.field({ type: 'JSON', resolve: ({ filters }) => filters }),
    shared: t.exposeBoolean('shared'),
    position: t.exposeInt('position'),
    ownerName: t.string({ resolve: ({ owner }) => owner.displayName }),
    editable: t.exposeBoolean('editable'),
    version: t.exposeInt('version'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

queryField('viewCounts', viewCounts, {
  type: Counts,
  description: "How many conversations each of the inbox's standard views has, in the dashboard only.",
});
listField('savedViews', listSavedViews, {
  type: SavedView,
  description: 'Own and shared views in their order, in the dashboard only.',
});
mutationField('createSavedView', createSavedView, {
  type: SavedView,
  input: 'SavedViewCreateInput',
  description: 'Saves a view of a list.',
});
mutationField('updateSavedView', updateSavedView, {
  type: SavedView,
  input: 'SavedViewUpdateInput',
  description: 'Changes a saved view. A field that is absent stays as it is.',
});
mutationField('deleteSavedView', deleteSavedView, {
  type: Deleted,
  description: 'Deletes a saved view.',
});
