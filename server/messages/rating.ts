import type { Channel as ChannelRow } from '../../prisma/generated/client/client.ts';
import type { ContactRow } from '../contacts/columns.ts';
import type { InboundMessage } from '../channels/adapter.ts';
import type { StoredAuthor } from '../conversations/authors.ts';
import type { ConversationRecord } from '../conversations/record.ts';
import { changeConversation, type Changes, entryTime, lockConversation } from '../conversations/thread.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { holdKey } from './open-thread.ts';
import { emitMessage, previewOf } from './post.ts';
import { commentOf, readRating } from './rating-text.ts';
import { findMessage } from './record.ts';

/** So long after the request an answer is a rating, and a newer one replaces it. */
const ratingMs = 72 * 3_600_000;
/** So long after a rating what follows is its comment. */
const commentMs = 10 * 60_000;

interface Given {
  channel: Pick<ChannelRow, 'id'>;
  contact: Pick<ContactRow, 'id'>;
  inbound: InboundMessage;
  author: StoredAuthor;
  /** Stores the message in a conversation. @returns its id */
  store: (conversationId: string, at: Date) => Promise<string>;
}

/**
 * Takes a message as the answer to a rating request: it stands in the thread, which stays closed, read and where it is.
 * Only what is a rating counts, or, shortly after one without a comment, what may be its comment: a question is none.
 * @returns null for every other message
 */
export async function takeRating(
  ctx: WorkContext,
  { channel, contact, inbound, author, store }: Given,
): Promise<{ message: string; conversation: string; contact: string } | null> {
  if (inbound.automatic === true) return null;
  const asked = await askedThread(ctx, channel, contact);
  if (!asked) return null;
  await holdKey(ctx, channel.id, contact.id);
  // Somebody may have written or reopened meanwhile.
  if ((await askedThread(ctx, channel, contact))?.id !== asked.id) return null;
  const record = await lockConversation(ctx, asked.id);
  const now = ctx.now();
  const changes = record.status === 'closed' ? changesOf(record, inbound.text, now) : null;
  if (!changes) return null;
  const at = entryTime(record, now);
  const id = await store(record.id, at);
  const last = { id, direction: 'inbound', type: 'text', status: 'received', at: at.toISOString() } as const;
  const message = await changeConversation(ctx, record, {
    lastMessage: { ...last, snippet: previewOf({ text: inbound.text, template: null, type: 'text' }) },
    lastMessageAt: at,
    lastEntryAt: at,
    lastInboundAt: at,
  });
  const stored = await findMessage(ctx, id);
  if (stored) emitMessage(ctx, 'message.received', stored);
  const rating = changes.rating ?? message.rating;
  const ratingComment = changes.ratingComment === undefined ? message.ratingComment : changes.ratingComment;
  const same = rating === message.rating && ratingComment === message.ratingComment;
  await changeConversation(
    ctx,
    message,
    changes,
    same
      ? []
      : [
          {
            type: 'conversation.rated',
            data: { rating, comment: ratingComment },
            author,
            // A comment alone stands in the thread already: it is the message.
            inTimeline: changes.rating !== undefined,
          },
        ],
  );
  return { message: id, conversation: record.id, contact: contact.id };
}

/** The newest thread of a customer, when it is closed and they were asked in it lately. */
async function askedThread(
  ctx: WorkContext,
  channel: Pick<ChannelRow, 'id'>,
  contact: Pick<ContactRow, 'id'>,
): Promise<{ id: string } | null> {
  const since = new Date(ctx.now().getTime() - ratingMs);
  const [newest] = await ctx.db.$queryRaw<{ id: string; asked: boolean }[]>`
    SELECT id, status = 'closed' AND coalesce(rating_requested_at >= ${since}, false) AS asked FROM conversations
    WHERE company_id = ${ctx.companyId} AND contact_id = ${contact.id} AND channel_id = ${channel.id}
    ORDER BY status = 'open' DESC, last_message_at DESC, id DESC LIMIT 1`;
  return newest?.asked ? { id: newest.id } : null;
}

/** What a message says about a closed thread: null when it is about something else. */
function changesOf(record: ConversationRecord, text: string, now: Date): Changes | null {
  const { ratingRequestedAt, closedAt, ratedAt } = record;
  // Asked before it was closed last: that was another matter.
  if (!ratingRequestedAt || (closedAt && ratingRequestedAt < closedAt)) return null;
  const ratedNow = ratedAt && ratedAt >= ratingRequestedAt ? ratedAt : null;
  const given = readRating(text);
  if (given) {
    const { rating, comment } = given;
    // A newer rating keeps the comment, but not that of another request.
    return { rating, ratedAt: now, ratingComment: comment ?? (ratedNow ? record.ratingComment : null) };
  }
  if (
    !ratedNow ||
    now.getTime() - ratedNow.getTime() > commentMs ||
    record.ratingComment !== null ||
    text.includes('?')
  )
    return null;
  const comment = commentOf(text);
  return comment === null ? null : { ratingComment: comment };
}
