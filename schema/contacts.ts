import { z } from 'zod';
import {
  country,
  email,
  flag,
  idOut,
  limits,
  list,
  page,
  pageQuery,
  publicId,
  searchText,
  single,
  text,
  timestamp,
} from './common.ts';
import { bulkTagMaximum, contactActivities, contactSorts } from './words.ts';

export { contactSorts, bulkTagMaximum } from './words.ts';

/** A person the company talks to. Source: API document, "Contact". */
export const Contact = z
  .strictObject({
    id: idOut,
    name: z.string().nullable(),
    phone: z
      .string()
      .nullable()
      .meta({ description: 'E.164.', examples: ['+351912345678'] }),
    email: z.string().nullable(),
    country: z.string().nullable(),
    subscribed: z.boolean().meta({ description: 'May receive marketing messages.' }),
    blocked: z.boolean(),
    source: z.string().nullable().meta({ description: 'Where the contact came from; `api` unless given.' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Contact' });
export type Contact = z.infer<typeof Contact>;

const phone = text(limits.phone, 1).meta({
  minLength: 1,
  maxLength: limits.phone,
  description: 'With a country code, or national when `country` is given. Kept as E.164; unique per company.',
  examples: ['+351912345678'],
});

const writable = {
  name: text(limits.name)
    .nullish()
    .meta({ examples: ['Ana Sousa'] }),
  phone: phone.nullish(),
  email: email.nullish().meta({ description: 'Unique per company, without regard to case.' }),
  country: country.nullish(),
  subscribed: z.boolean().optional(),
};

/** Body of create. Every field is optional; `blocked` is ignored here. */
export const ContactCreate = z.object({
  ...writable,
  source: text(20).nullish().meta({ default: 'api' }),
});
export type ContactCreate = z.infer<typeof ContactCreate>;

/** Body of update: absent keeps, null clears. `source` is ignored here. */
export const ContactUpdate = z.object({ ...writable, blocked: z.boolean().optional() });
export type ContactUpdate = z.infer<typeof ContactUpdate>;

/** Query of the list. `sort=created_at` is newest first, `sort=name` ascending with nameless contacts last. */
export const ContactListQuery = z.object({
  q: searchText.optional().meta({ description: 'Text in name, phone or e-mail.' }),
  phone: text(limits.phone).optional(),
  country: text(2, 2).optional(),
  blocked: flag.optional(),
  subscribed: flag.optional(),
  sort: z.enum(contactSorts).optional().meta({ default: 'created_at' }),
  ...pageQuery,
});
export type ContactListQuery = z.infer<typeof ContactListQuery>;

/** Body of bulk tag. Unknown ids match nothing and cause no error. */
export const ContactBulkTag = z.object({
  contact_ids: z.array(publicId).min(1).max(bulkTagMaximum),
  tag: publicId,
  action: z.enum(['add', 'remove']),
});
export type ContactBulkTag = z.infer<typeof ContactBulkTag>;

export const ContactBulkTagResult = z
  .strictObject({
    action: z.enum(['add', 'remove']),
    tag: z.string().meta({ description: 'As sent.' }),
    requested: z.int().min(0).meta({ description: 'Length of `contact_ids` as sent.' }),
    affected: z.int().min(0).meta({ description: 'Contacts really changed.' }),
  })
  .meta({ id: 'ContactBulkTagResult' });

/** An internal note from one of the contact's conversations. */
export const ContactNote = z
  .strictObject({
    author: z.string().meta({ description: 'Agent display name or a system label.' }),
    text: z.string(),
    at: timestamp,
  })
  .meta({ id: 'ContactNote' });

export type ContactNote = z.infer<typeof ContactNote>;

/** A contact as the dashboard shows it: with its tags, and the version that an edit names. Dashboard only. */
export const ContactRecord = Contact.extend({
  version: z.int().meta({ description: 'Grows with every change.' }),
  tags: z
    .array(z.strictObject({ id: idOut, name: z.string(), color: z.string() }))
    .meta({ description: 'In name order; empty without `inbox.access`.' }),
  last_conversation: z
    .strictObject({ id: idOut, at: timestamp })
    .nullable()
    .meta({ description: 'With its last activity; null without `inbox.access`.' }),
}).meta({ id: 'ContactRecord' });
export type ContactRecord = z.infer<typeof ContactRecord>;

/** One thing that was done to a contact. Dashboard only. */
export const ContactActivity = z
  .strictObject({
    at: timestamp,
    actor: z.string().nullable().meta({ description: 'Name of an agent or a key; null for the system.' }),
    action: z.enum(contactActivities),
    fields: z.array(z.string()).meta({ description: 'Names of the fields that were given, of `updated`.' }),
    tag: z.string().nullable().meta({ description: 'Its name then, of `tagged` and `untagged`.' }),
  })
  .meta({ id: 'ContactActivity' });
export type ContactActivity = z.infer<typeof ContactActivity>;

export const ContactRecordListQuery = ContactListQuery.extend({
  tag: publicId.optional().meta({ description: 'Contacts that have this tag.' }),
});

/** Body of edit. */
export const ContactEdit = ContactUpdate.extend({
  version: z.int().meta({ description: 'Of the record that was edited; another is 409.' }),
});

export const ContactBody = single(Contact);
export const ContactRecordBody = single(ContactRecord);
export const ContactRecordPage = page(ContactRecord);
export const ContactPage = page(Contact);
export const ContactActivityList = list(ContactActivity);
export const ContactNoteList = list(ContactNote);
export const ContactBulkTagBody = single(ContactBulkTagResult);
