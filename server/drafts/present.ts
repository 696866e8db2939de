import type { Draft } from '../../schema/drafts.ts';
import { type Links, presentMediaRef } from '../media/present.ts';
import { iso } from '../platform/present.ts';
import type { DraftRecord } from './record.ts';

export function presentDraft(record: DraftRecord, links: Links): Draft {
  return {
    conversation: record.conversationId,
    mode: record.mode,
    text: record.text,
    media: record.media.map((media) => presentMediaRef(media, links)),
    reply_to: record.data.replyToId ?? null,
    mentions: record.data.mentions ?? [],
    version: record.version,
    updated_at: iso(record.updatedAt),
  };
}
