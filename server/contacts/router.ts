import { Deleted, single } from '../../schema/common.ts';
import {
  ContactActivityList,
  ContactBody,
  ContactBulkTagBody,
  ContactNoteList,
  ContactPage,
  ContactRecordBody,
  ContactRecordPage,
} from '../../schema/contacts.ts';
import { procedure, router } from '../platform/trpc.ts';
import { presentPage } from '../platform/present.ts';
import { listContactActivity } from './activity.ts';
import { bulkTagContacts } from './bulk-tag.ts';
import { listContacts } from './list.ts';
import { listContactNotes } from './notes.ts';
import {
  presentContact,
  presentContactActivity,
  presentContactNote,
  presentContactRecord,
} from './present.ts';
import { listContactRecords, showContactRecord } from './records.ts';
import { createContact, deleteContact, editContact, showContact, updateContact } from './service.ts';

const tag = 'Contacts';

export const contactsRouter = router({
  list: procedure(listContacts, {
    output: ContactPage,
    present: presentPage(presentContact),
    rest: {
      method: 'GET',
      path: '/contacts',
      tag,
      summary: 'List contacts',
      description: 'Newest first, or by name. All filters must match.',
    },
  }),
  create: procedure(createContact, {
    output: ContactBody,
    present: (row) => ({ data: presentContact(row) }),
    rest: {
      method: 'POST',
      path: '/contacts',
      tag,
      summary: 'Create a contact',
      description:
        'Every field is optional. A phone or an e-mail that another contact has is refused as `duplicate`.',
      status: 201,
    },
  }),
  bulkTag: procedure(bulkTagContacts, {
    output: ContactBulkTagBody,
    present: (summary) => ({ data: summary }),
    rest: {
      method: 'POST',
      path: '/contacts/bulk-tag',
      tag,
      summary: 'Tag or untag up to 500 contacts',
      description:
        'Unknown and foreign ids match nothing and cause no error. Attach and detach are idempotent.',
    },
  }),
  show: procedure(showContact, {
    output: ContactBody,
    present: (row) => ({ data: presentContact(row) }),
    rest: {
      method: 'GET',
      path: '/contacts/{contact}',
      tag,
      summary: 'Show a contact',
      description: 'The ten fields that lists show too.',
    },
  }),
  update: procedure(updateContact, {
    output: ContactBody,
    present: (row) => ({ data: presentContact(row) }),
    rest: {
      method: 'PATCH',
      path: '/contacts/{contact}',
      tag,
      summary: 'Update a contact',
      description: 'A field that is absent stays as it is; null clears it.',
    },
  }),
  delete: procedure(deleteContact, {
    output: single(Deleted),
    present: ({ id }) => ({ data: { id, deleted: true } }),
    rest: {
      method: 'DELETE',
      path: '/contacts/{contact}',
      tag,
      summary: 'Delete a contact',
      description: 'Conversations stay. What identifies the person is erased after 30 days.',
    },
  }),
  notes: procedure(listContactNotes, {
    output: ContactNoteList,
    present: (rows) => ({ data: rows.map(presentContactNote) }),
    rest: {
      method: 'GET',
      path: '/contacts/{contact}/notes',
      tag,
      summary: "List the internal notes of all the contact's conversations",
      description: 'Newest first, at most 200.',
    },
  }),
  records: procedure(listContactRecords, {
    output: ContactRecordPage,
    present: presentPage(presentContactRecord),
  }),
  record: procedure(showContactRecord, {
    output: ContactRecordBody,
    present: (row) => ({ data: presentContactRecord(row) }),
  }),
  activity: procedure(listContactActivity, {
    output: ContactActivityList,
    present: (rows) => ({ data: rows.map(presentContactActivity) }),
  }),
  edit: procedure(editContact, { output: ContactBody, present: (row) => ({ data: presentContact(row) }) }),
});
