import type { Note as NoteRow } from '../../prisma/generated/client/client.ts';
import type { Contact, ContactActivity, ContactNote, ContactRecord } from '../../schema/contacts.ts';
import type { ActivityRow } from './activity.ts';
import type { ContactRow } from './columns.ts';
import type { ContactRecordRow } from './records.ts';

/** The ten public fields of a contact. */
export function presentContact(row: ContactRow): Contact {
  return {
    id: row.id,
    name: row.name,
    phone: row.phone,
    email: row.email,
    country: row.country,
    subscribed: row.subscribed,
    blocked: row.blocked,
    source: row.source,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** A note as the contact's log shows it: no ids. */
export function presentContactNote({ authorName, authorType, text, at }: NoteRow): ContactNote {
  return { author: authorName ?? authorType, text, at: at.toISOString() };
}

export function presentContactRecord(row: ContactRecordRow): ContactRecord {
  return {
    ...presentContact(row),
    version: row.version,
    tags: row.tags.map(({ id, name, color }) => ({ id, name, color })),
    last_conversation: row.lastConversation && {
      id: row.lastConversation.id,
      at: row.lastConversation.at.toISOString(),
    },
  };
}

export function presentContactActivity({ at, ...row }: ActivityRow): ContactActivity {
  // The version is how an edit is guarded, nothing of the contact.
  const fields = row.fields.filter((name) => name !== 'version');
  return { ...row, at: at.toISOString(), fields: row.action === 'updated' ? fields : [] };
}
