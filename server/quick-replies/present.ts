import type { QuickReply as QuickReplyRow } from '../../prisma/generated/client/client.ts';
import type { QuickReply } from '../../schema/quick-replies.ts';
import type { MediaFields } from '../media/columns.ts';
import { type Links, presentMediaRef } from '../media/present.ts';

/** A quick reply with what its public record shows of other rows. */
export interface QuickReplyRecord extends QuickReplyRow {
  media: MediaFields | null;
  createdBy: { name: string; email: string } | null;
}

export function presentQuickReply(row: QuickReplyRecord, links: Links): QuickReply {
  return {
    id: row.id,
    shortcut: row.shortcut,
    title: row.title,
    text: row.text,
    variables: row.variables,
    media: row.media && presentMediaRef(row.media, links),
    category: row.category,
    usage_count: row.usageCount,
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
