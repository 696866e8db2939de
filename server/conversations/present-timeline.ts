import { type AuthorType, authorTypes, messageStatuses, messageTypes } from '../../schema/entries.ts';
import type { Author, ReplySnippet } from '../../schema/entries.ts';
import type { TimelineEntry } from '../../schema/timeline.ts';
import { type Links, presentMediaRef } from '../media/present.ts';
import { labelOf } from './labels.ts';
import type { EntryRow, Timeline } from './timeline.ts';

export function presentTimeline({ rows, hasMore }: Timeline, links: Links) {
  return {
    data: rows.map((row) => presentEntry(row, links)),
    meta: { has_more: hasMore, next_before: nextBefore({ rows, hasMore }) },
  };
}

/** `before` of the next page: `at` of the last entry returned, or null when there is none older. */
export function nextBefore({ rows, hasMore }: Timeline): string | null {
  return (hasMore && rows.at(-1)?.at.toISOString()) || null;
}

export function presentEntry(row: EntryRow, links: Links): TimelineEntry {
  const base = { id: row.id, at: row.at.toISOString(), author: authorIn(row) };
  switch (row.kind) {
    case 'note':
      return { ...base, kind: 'note', text: row.text ?? '', mentions: row.mentions ?? [] };
    case 'event': {
      const event = row.type ?? '';
      const data = row.data ?? {};
      return { ...base, kind: 'event', event, label: labelOf(event, data), data };
    }
    case 'message':
      return {
        ...base,
        kind: 'message',
        direction: row.direction === 'inbound' ? 'inbound' : 'outbound',
        type: oneOf(messageTypes, row.type),
        subject: row.subject,
        text: row.text,
        media: row.media && presentMediaRef(row.media, links),
        status: oneOf(messageStatuses, row.status),
        failure_reason: row.status === 'failed' ? (row.failureMessage ?? row.failureCode) : null,
        reply_to: replyOf(row),
        ai_generated: row.aiGenerated ?? false,
        held_until: row.heldUntil?.toISOString() ?? null,
      };
  }
}

/** The beginning of a text as lists and quotes show it: one line, cut at a number of code points. */
export function snippetOf(text: string, maximum: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= maximum ? line : [...line].slice(0, maximum).join('');
}

function authorIn(row: {
  authorType: string;
  authorName: string | null;
  authorEmail: string | null;
}): Author {
  return {
    type: oneOf<AuthorType>(authorTypes, row.authorType),
    name: row.authorName,
    email: row.authorEmail,
  };
}

function replyOf({ replyTo }: EntryRow): ReplySnippet | null {
  if (!replyTo) return null;
  return { id: replyTo.id, snippet: snippetOf(replyTo.text ?? '', 140), author: authorIn(replyTo) };
}

/** The database allows only these words. */
function oneOf<T extends string>(words: readonly T[], word: string | null): T {
  const found = words.find((one) => one === word);
  if (found === undefined) throw new Error(`Unexpected word ${word}.`);
  return found;
}
