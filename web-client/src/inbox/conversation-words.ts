import { t } from '@lingui/core/macro';
import type { Conversation } from '../../../schema/conversations.ts';
import type { Row } from '../realtime/apply-change.ts';

const attachments: Readonly<Record<string, string>> = {
  get media() {
    return t`Attachment`;
  },
  get template() {
    return t`Template`;
  },
  get product() {
    return t`Product`;
  },
  get order() {
    return t`Order`;
  },
};

/** What is newest on one line, with who wrote it. @param draft what the agent has written and not sent */
export function snippetOf({ last_message: last, last_message_at, note }: Row, draft?: string): string {
  if (draft !== undefined) return t`Draft: ${draft}`;
  if (note && note.at > last_message_at) return t`Note: ${note.snippet}`;
  if (last === null) return t`No messages yet`;
  const text = last.snippet === '' ? (attachments[last.type] ?? t`Message`) : last.snippet;
  if (last.direction === 'inbound') return text;
  if (last.status === 'failed') return t`Not sent: ${text}`;
  return last.status === 'held' ? t`Waiting: ${text}` : t`You: ${text}`;
}

/** Why a row no longer belongs to the list, as far as the record tells. */
export function reasonOf({ status, closed_by, archived, assignee }: Conversation): string {
  if (archived) return t`Archived`;
  if (status === 'closed') return closed_by?.name == null ? t`Closed` : t`Closed by ${closed_by.name}`;
  return assignee === null ? t`No longer in this list` : t`Assigned to ${assignee.name}`;
}

/** Two letters at most; a number has none. */
export function initialsOf(name: string): string {
  if (!/\p{L}/u.test(name)) return '#';
  const words = name
    .replaceAll(/[^\p{L}\p{N}\s]/gu, '')
    .split(/\s+/)
    .filter(Boolean);
  const [first = '?', second = ''] = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ([...first][0] ?? '?').toUpperCase() + ([...second][0] ?? '').toUpperCase();
}
