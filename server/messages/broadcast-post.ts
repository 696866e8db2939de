import type { StoredAuthor } from '../conversations/authors.ts';
import { announceMessages } from '../conversations/announcements.ts';
import type { ConversationRecord } from '../conversations/record.ts';
import { changeConversations, entryTime } from '../conversations/thread.ts';
import { newId } from '../platform/ids.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { authorColumns, type Content, previewOf } from './post.ts';
import { insertQueued } from './record.ts';

/** What is said in one locked thread. */
export interface Post {
  record: ConversationRecord;
  content: Content;
}

/**
 * Puts a campaign's message into each of many locked threads and asks for their sending: what `postMessage` does for one,
 * in a few statements.
 * @returns the messages, in the order of `posts`
 */
export async function postBroadcast(
  ctx: WorkContext,
  posts: readonly Post[],
  { author, campaignId }: { author: StoredAuthor; campaignId: string },
): Promise<{ id: string; contactId: string }[]> {
  if (posts.length === 0) return [];
  const { companyId } = ctx;
  const now = ctx.now();
  const placed = posts.map((post) => ({ ...post, id: newId(), at: entryTime(post.record, now) }));
  await insertQueued(
    ctx,
    placed.map(({ id, at, content, record }) => ({
      id,
      conversationId: record.id,
      contactId: record.contactId,
      channelId: record.channelId,
      type: content.type,
      text: content.text,
      mediaId: content.mediaId,
      ...(content.template ? { template: content.template } : {}),
      campaignId,
      ...authorColumns(author),
      at,
    })),
  );
  const status = 'queued' as const;
  await changeConversations(
    ctx,
    placed.map(({ id, at, content, record }) => {
      const preview = {
        id,
        direction: 'outbound',
        type: content.type,
        status,
        at: at.toISOString(),
      } as const;
      const lastMessage = { ...preview, snippet: previewOf(content) };
      return { record, changes: { lastMessage, lastMessageAt: at, lastEntryAt: at } };
    }),
  );
  await ctx.enqueue('campaigns.send', { companyId, conversationIds: placed.map(({ record }) => record.id) });
  // Nothing is sent yet, so the log has nothing to tell; whoever looks at a thread sees it at once.
  announceMessages(
    ctx,
    'message.updated',
    placed.map(({ id, at, record }) => ({ conversationId: record.id, id, status, at })),
  );
  return placed.map(({ id, record }) => ({ id, contactId: record.contactId }));
}
