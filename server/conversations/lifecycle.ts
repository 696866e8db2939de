import { type Act, plainAction } from './action.ts';
import { afterClose } from './after-close.ts';
import { authorOf } from './authors.ts';
import { resumedAutoReplies } from './auto-reply.ts';
import { cancelHeld, releaseHeld } from './held.ts';
import { releasePresence } from './presence.ts';
import { expireSuggestions } from './suggestions.ts';
import { type Changes, changeConversations } from './thread.ts';

/**
 * Keeps the assignee; clears the edit lock, unread, the waiting time and pending suggestions. What AI holds is
 * cancelled, what people hold is sent.
 */
export const close: Act = async (ctx, records) => {
  const open = records.filter((record) => record.status === 'open');
  if (open.length === 0) return [];
  const cancelled = await cancelHeld(ctx, open, 'closed', { origin: 'ai' });
  const left = open.map((record) => ({ ...record, ...cancelled.get(record.id) }));
  const released = await releaseHeld(ctx, left);
  releasePresence(ctx, open);
  await expireSuggestions(ctx, open);
  const by = authorOf(ctx);
  const closedAt = ctx.now();
  await afterClose(ctx, open, closedAt);
  return changeConversations(
    ctx,
    open.map((record) => ({
      record,
      changes: {
        ...cancelled.get(record.id),
        ...released.get(record.id),
        status: 'closed',
        closedAt,
        closedBy: by,
        unreadCount: 0,
        waitingSince: null,
        pendingSuggestions: 0,
      },
      entries: [{ type: 'conversation.closed', data: { from: 'open', to: 'closed' } }],
    })),
  );
};

/** AI replies that were paused for a person go on, where they are switched on still. */
export const reopen: Act = async (ctx, records) => {
  const closed = records.filter((record) => record.status === 'closed');
  const resumed = await resumedAutoReplies(ctx, closed);
  return changeConversations(
    ctx,
    closed.map((record) => ({
      record,
      changes: { ...reopened, aiAutoReply: resumed.get(record.id) ?? record.aiAutoReply },
      entries: [{ type: 'conversation.reopened', data: { from: 'closed', to: 'open' } }],
    })),
  );
};

/** What any way of opening a closed conversation again changes. */
export const reopened = { status: 'open', closedAt: null, closedBy: null } as const satisfies Changes;

export const closeConversation = plainAction(close);
export const reopenConversation = plainAction(reopen);
