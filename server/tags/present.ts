import type { Tag as TagRow } from '../../prisma/generated/client/client.ts';
import type { Tag } from '../../schema/tags.ts';

export interface TagUse {
  conversationsCount: number;
  contactsCount: number;
}

/** A tag with how often it is used. */
export interface CountedTag extends TagRow, TagUse {}

export function presentTag(row: CountedTag): Tag {
  return {
    id: row.id,
    name: row.name,
    color: row.color,
    system: row.system,
    conversations_count: row.conversationsCount,
    contacts_count: row.contactsCount,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
