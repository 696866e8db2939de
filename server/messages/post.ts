import type { Prisma } from '../../prisma/generated/client/client.ts';
import type { MessageType } from '../../schema/entries.ts';
import type { MessageTemplate } from '../../schema/messages.ts';
import type { Failure } from '../channels/adapter.ts';
import type { StoredAuthor } from '../conversations/authors.ts';
import { announceMessages } from '../conversations/announcements.ts';
import { cancelHeld, type HeldOrigin } from '../conversations/held.ts';
import { releasePresence } from '../conversations/presence.ts';
import { snippetOf } from '../conversations/present-timeline.ts';
import type { ConversationRecord } from '../conversations/record.ts';
import { type Changes, changeConversation, entryTime } from '../conversations/thread.ts';
import { newId } from '../platform/ids.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { presentMessage } from './present.ts';
import { insertMessage, type MessageRecord } from './record.ts';

/** What is said, apart from by whom and where. */
export interface Content {
  type: MessageType;
  text: string | null;
  mediaId: string | null;
  template: MessageTemplate | null;
  productId: string | null;
  orderId: string | null;
}

/** To be filled with what a message has. */
export const noContent = { text: null, mediaId: null, template: null, productId: null, orderId: null };

/** Plain words. */
export function textContent(text: string): Content {
  return { ...noContent, type: 'text', text };
}

/** An outbound message that nothing speaks against any more. */
export interface Draft {
  content: Content;
  author: StoredAuthor;
  replyToId?: string | null;
  clientRef?: string | null;
  campaignId?: string | null;
  aiGenerated?: boolean;
  hold?: { seconds: number; origin: HeldOrigin } | null;
  /** A test key's message that fails at once. */
  failure?: Failure | null;
}

/**
 * Puts an outbound message into a locked thread and asks for its sending, now or when its hold ends. What a person
 * writes replaces what AI holds, ends the waiting and marks the thread as read.
 */
export async function postMessage(
  ctx: WorkContext,
  record: ConversationRecord,
  draft: Draft,
): Promise<MessageRecord> {
  const { author, content, hold, failure } = draft;
  const human = author.type === 'agent' || author.type === 'api';
  const cancelled = human ? await cancelHeld(ctx, [record], 'superseded_by_agent', { origin: 'ai' }) : null;
  const before = { ...record, ...cancelled?.get(record.id) };
  const now = ctx.now();
  const at = entryTime(record, now);
  const heldUntil =
    hold && hold.seconds > 0 && !failure ? new Date(now.getTime() + hold.seconds * 1_000) : null;
  const status = failure ? 'failed' : heldUntil ? 'held' : 'queued';
  const id = newId();
  const aiGenerated = draft.aiGenerated ?? author.type === 'ai';
  const data: Prisma.MessageUncheckedCreateInput = {
    companyId: ctx.companyId,
    id,
    conversationId: record.id,
    contactId: record.contactId,
    channelId: record.channelId,
    direction: 'outbound',
    type: content.type,
    text: content.text,
    mediaId: content.mediaId,
    ...(content.template ? { template: content.template } : {}),
    productId: content.productId,
    orderId: content.orderId,
    replyToId: draft.replyToId ?? null,
    campaignId: draft.campaignId ?? null,
    ...authorColumns(author),
    status,
    heldOrigin: heldUntil && hold ? hold.origin : null,
    heldUntil,
    failureCode: failure?.code ?? null,
    failureMessage: failure?.message ?? null,
    providerCode: failure?.providerCode ?? null,
    failedAt: failure ? now : null,
    clientRef: draft.clientRef ?? null,
    aiGenerated,
    at,
    createdAt: at,
    updatedAt: at,
  };
  const preview = { id, direction: 'outbound', type: content.type, status, at: at.toISOString() } as const;
  // Sent together: neither needs to know what became of the other.
  const [message] = await Promise.all([
    insertMessage(ctx, data),
    changeConversation(ctx, record, {
      ...cancelled?.get(record.id),
      ...(heldUntil ? heldChanges(before, heldUntil) : {}),
      ...(human ? { unreadCount: 0 } : {}),
      ...(status === 'queued' ? answered(before, author, at) : {}),
      lastMessage: { ...preview, snippet: previewOf(content) },
      lastMessageAt: at,
      lastEntryAt: at,
    }),
  ]);
  // Every AI message has its row from the start, bound by id.
  if (aiGenerated) {
    message.feedbackId = newId();
    await ctx.db.aiFeedback.create({
      data: { companyId: ctx.companyId, id: message.feedbackId, messageId: id, createdAt: at },
      select: { id: true },
    });
  }
  if (human) releasePresence(ctx, [record], ctx.principal.user?.id ?? null);
  const place = { companyId: ctx.companyId, conversationId: record.id };
  if (heldUntil) await ctx.enqueue('messages.release', place, { startAfter: heldUntil });
  else if (status === 'queued') await ctx.enqueue('messages.send', place);
  if (failure) emitMessage(ctx, 'message.failed', message, { status: 'queued' });
  // Nothing is sent yet, so the log has nothing to tell; whoever looks at the thread sees it at once.
  else announceMessages(ctx, heldUntil ? 'message.held' : 'message.updated', [{ ...place, id, status, at }]);
  return message;
}

/** An answer ends the waiting, whoever gives it; a broadcast is none, nor is what the house says by itself. */
export function answered(
  record: Pick<ConversationRecord, 'lastInboundAt' | 'firstResponseAt'>,
  { type }: Pick<StoredAuthor, 'type'>,
  at: Date,
): Changes {
  if (type === 'campaign' || type === 'automation' || !record.lastInboundAt) return {};
  return { waitingSince: null, firstResponseAt: record.firstResponseAt ?? at };
}

function heldChanges({ heldCount, heldUntil }: ConversationRecord, until: Date): Changes {
  return { heldCount: heldCount + 1, heldUntil: heldUntil && heldUntil < until ? heldUntil : until };
}

/** What the inbox shows of a message: its text, else what it is. */
export function previewOf({ text, template, type }: Pick<Content, 'text' | 'template' | 'type'>): string {
  return snippetOf(text ?? template?.name ?? type, 160);
}

export function authorColumns({ type, id, name, email }: StoredAuthor) {
  return { authorType: type, authorId: id, authorName: name, authorEmail: email };
}

type MessageEvent = `message.${'received' | 'sent' | 'delivered' | 'read' | 'failed'}`;

export function emitMessage(
  ctx: WorkContext,
  type: MessageEvent,
  message: MessageRecord,
  previous?: { status: string },
): void {
  ctx.emit({
    type,
    object: presentMessage(message, ctx.app),
    ...(previous ? { previous } : {}),
    conversationId: message.conversationId,
    contactId: message.contactId,
  });
}
