import { announce } from '../platform/announce.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';

/** What is told of a message that has changed without an event: enough to find its entry in the timeline. */
interface MessageNews {
  conversationId: string;
  id: string;
  status: string;
  at: Date;
}

/** Tells those who look at the threads that messages are held, queued or cancelled; no webhook does. */
export function announceMessages(
  ctx: WorkContext,
  type: 'message.held' | 'message.updated',
  news: readonly MessageNews[],
): void {
  announce(
    ctx,
    ...news.map(({ conversationId: conversation, id, status, at }) => ({
      type,
      conversation,
      object: { id, conversation, status, created_at: at.toISOString() },
    })),
  );
}

/** Tells an agent's own connections what they pinned or follow, so that their other tabs know. */
export function announcePersonal(
  ctx: WorkContext,
  type: `conversation.${'pinned' | 'unpinned' | 'followed' | 'unfollowed'}`,
  user: string,
  conversation: string,
): void {
  announce(ctx, { type, user, conversation, object: { id: conversation } });
}
