import {
  type AuthorType,
  authorTypes,
  messageStatuses,
  messageTypes,
  type ReplySnippet,
} from '../../schema/entries.ts';
import { failureCodes, type Message } from '../../schema/messages.ts';
import { snippetOf } from '../conversations/present-timeline.ts';
import { type Links, presentMediaRef } from '../media/present.ts';
import type { MessageRecord, QuotedMessage } from './record.ts';
import { iso } from '../platform/present.ts';

export function presentMessage(row: MessageRecord, links: Links): Message {
  return {
    id: row.id,
    conversation: row.conversationId,
    contact: row.contactId,
    channel: row.channelKind,
    direction: row.direction === 'inbound' ? 'inbound' : 'outbound',
    type: wordOf(messageTypes, row.type),
    subject: subjectOf(row),
    text: row.text,
    media: row.media && presentMediaRef(row.media, links),
    template: row.template,
    product: row.productId,
    order: row.orderId,
    reply_to: row.replyTo && quote(row.replyTo),
    author: {
      type: wordOf(authorTypes, row.authorType),
      id: row.authorId,
      name: row.authorName,
      email: row.authorEmail,
    },
    status: wordOf(messageStatuses, row.status),
    failure: failureOf(row),
    held_until: iso(row.heldUntil),
    ai_generated: row.aiGenerated,
    feedback_id: row.feedbackId,
    campaign: row.campaignId,
    client_ref: row.clientRef,
    sent_at: iso(row.sentAt),
    delivered_at: iso(row.deliveredAt),
    read_at: iso(row.readAt),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** What a mail was about; other channels keep no such thing. */
export function subjectOf({ extra }: Pick<MessageRecord, 'extra'>): string | null {
  const subject: unknown =
    typeof extra === 'object' && extra !== null ? Reflect.get(extra, 'subject') : undefined;
  return typeof subject === 'string' ? subject : null;
}

/** The quoted message, cut as quotes are. */
export function quote({ id, text, authorType, authorName, authorEmail }: QuotedMessage): ReplySnippet {
  const type: AuthorType = wordOf(authorTypes, authorType);
  return { id, snippet: snippetOf(text ?? '', 140), author: { type, name: authorName, email: authorEmail } };
}

function failureOf(row: MessageRecord): Message['failure'] {
  if (row.status !== 'failed' || row.failureCode === null) return null;
  const code = failureCodes.find((known) => known === row.failureCode) ?? 'provider_error';
  return { code, message: row.failureMessage ?? code, provider_code: row.providerCode };
}

/** The database's checks allow only these words. */
export function wordOf<const Word extends string>(words: readonly Word[], stored: string): Word {
  const word = words.find((known) => known === stored);
  if (word === undefined) throw new Error(`A message can't have ${stored}.`);
  return word;
}
