import type { Prisma } from '../../prisma/generated/client/client.ts';
import type { MessageEntry, Thread } from './thread.ts';

/** How far a message comes with each status; one that is read was delivered and sent. */
const reached = { queued: 0, held: 0, failed: 1, sent: 1, delivered: 2, read: 3 } as const;

const second = 1_000;

/** The row of one message of a thread. Times of delivery follow the time of sending by seconds. */
export function messageRow(
  thread: Thread,
  entry: MessageEntry & { at: Date },
  id: string,
): Prisma.MessageCreateManyInput {
  const { author, at } = entry;
  const inbound = author.type === 'contact';
  const status = inbound ? 'received' : (entry.status ?? 'read');
  const steps = status === 'received' ? 0 : reached[status];
  const after = (seconds: number) => new Date(at.getTime() + seconds * second);
  return {
    companyId: thread.companyId,
    id,
    conversationId: thread.id,
    contactId: thread.contact.id,
    channelId: thread.channel.id,
    direction: inbound ? 'inbound' : 'outbound',
    type: entry.productId ? 'product' : entry.orderId ? 'order' : 'text',
    text: entry.text,
    productId: entry.productId ?? null,
    orderId: entry.orderId ?? null,
    campaignId: entry.campaignId ?? null,
    replyToId: replyTo(thread, entry.replyTo),
    authorType: author.type,
    authorId: author.id,
    authorName: author.name,
    authorEmail: author.email,
    status,
    heldOrigin: status === 'held' ? (author.type === 'ai' ? 'ai' : 'request') : null,
    heldUntil: entry.heldUntil ?? null,
    failureCode: entry.failure?.code ?? null,
    failureMessage: entry.failure?.message ?? null,
    aiGenerated: author.type === 'ai',
    attempts: steps > 0 ? 1 : 0,
    at,
    sentAt: steps >= 1 ? after(1) : null,
    deliveredAt: steps >= 2 ? after(2) : null,
    readAt: steps >= 3 ? after(40) : null,
    failedAt: status === 'failed' ? after(3) : null,
    createdAt: at,
    updatedAt: at,
  };
}

function replyTo(thread: Thread, place: number | undefined): string | null {
  const entry = place === undefined ? undefined : thread.entries[place];
  return place === undefined || !entry ? null : thread.entryId(place, entry.at);
}

/** The beginning of a text as the inbox shows it: one line, at most 160 characters. */
export function snippetOf(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= 160 ? line : [...line].slice(0, 160).join('');
}
