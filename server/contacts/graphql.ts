import { batched } from '../platform/batch.ts';
import {
  Deleted,
  firstArg,
  listField,
  mutationField,
  pageField,
  queryField,
  takeFirst,
} from '../platform/graphql-fields.ts';
import { builder } from '../platform/graphql.ts';
import { tagsOfContacts } from '../tags/attached.ts';
import { Tag } from '../tags/graphql.ts';
import type { ContactRow } from './columns.ts';
import { bulkTagContacts } from './bulk-tag.ts';
import { listContacts } from './list.ts';
import { listContactNotes } from './notes.ts';
import { presentContactNote } from './present.ts';
import { createContact, deleteContact, showContact, updateContact } from './service.ts';

const loadTags = batched(tagsOfContacts);

export const Contact = builder.objectRef<ContactRow>('Contact').implement({
  description: 'A person the company talks to.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name', { nullable: true }),
    phone: t.exposeString('phone', { nullable: true, description: 'E.164.' }),
    email: t.exposeString('email', { nullable: true }),
    country: t.exposeString('country', { nullable: true, description: 'ISO 3166-1 alpha-2.' }),
    subscribed: t.exposeBoolean('subscribed', { description: 'May receive marketing messages.' }),
    blocked: t.exposeBoolean('blocked'),
    source: t.exposeString('source', { nullable: true, description: 'Where the contact came from.' }),
    version: t.exposeInt('version', { description: 'Grows with every change.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    tags: t.field({
      type: [Tag],
      nullable: true,
      access: 'inbox.access',
      description: 'In name order. Needs `inbox.access`.',
      args: firstArg(),
      resolve: async (contact, args, ctx) => takeFirst((await loadTags(ctx, contact.id)) ?? [], args),
    }),
  }),
});

const ContactNote = builder.prismaObject('Note', {
  name: 'ContactNote',
  description: "An internal note from one of the contact's conversations.",
  findUnique: null,
  fields: (t) => ({
    author: t.string({
      description: 'Agent display name or a system label.',
      resolve: (note) => presentContactNote(note).author,
    }),
    text: t.exposeString('text'),
    at: t.expose('at', { type: 'DateTime' }),
  }),
});

interface BulkTagResult {
  action: string;
  tag: string;
  requested: number;
  affected: number;
}

const ContactBulkTagResult = builder.objectRef<BulkTagResult>('ContactBulkTagResult').implement({
  fields: (t) => ({
    action: t.exposeString('action'),
    tag: t.exposeID('tag', { description: 'As sent.' }),
    requested: t.exposeInt('requested', { description: 'Length of `contactIds` as sent.' }),
    affected: t.exposeInt('affected', { description: 'Contacts really changed.' }),
  }),
});

queryField('contact', showContact, { type: Contact, description: 'One contact.' });
pageField('contacts', listContacts, {
  type: Contact,
  description: 'Contacts, newest first unless sorted by name.',
});
listField('contactNotes', listContactNotes, {
  type: ContactNote,
  description: "Internal notes of all the contact's conversations, newest first.",
});
mutationField('createContact', createContact, {
  type: Contact,
  input: 'ContactCreateInput',
  description: 'Creates a contact.',
});
mutationField('updateContact', updateContact, {
  type: Contact,
  input: 'ContactUpdateInput',
  description: 'Updates a contact. A field that is absent stays as it is; null clears it.',
});
mutationField('deleteContact', deleteContact, {
  type: Deleted,
  description: 'Deletes a contact. Conversations stay; what identifies the person is erased after 30 days.',
});
mutationField('bulkTagContacts', bulkTagContacts, {
  type: ContactBulkTagResult,
  input: 'ContactBulkTagInput',
  description: 'Tags or untags up to 500 contacts. Unknown ids match nothing and cause no error.',
});
