import type { Notification, NotificationKind } from '../../schema/notifications.ts';
import { snippetOf } from '../conversations/present-timeline.ts';
import { iso } from '../platform/present.ts';
import type { NotificationRecord } from './record.ts';

export function presentNotification(record: NotificationRecord): Notification {
  const { id, conversationId, data, readAt } = record;
  const { by, ...details } = data as { by?: { name: string; email: string } | null };
  // The database allows only these words.
  const kind = record.kind as NotificationKind;
  return {
    id,
    kind,
    conversation:
      conversationId === null
        ? null
        : { id: conversationId, contact: record.contactName, channel: record.channelKind ?? '' },
    by: by ?? null,
    snippet: record.text === null ? null : snippetOf(record.text, 160),
    details: kind === 'system' ? details : null,
    read: readAt !== null,
    read_at: iso(readAt),
    created_at: record.createdAt.toISOString(),
  };
}
