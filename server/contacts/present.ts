import type { Contact as ContactRow } from '../../prisma/generated/client/client.ts';
import type { Contact } from '../../schema/contacts.ts';

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
