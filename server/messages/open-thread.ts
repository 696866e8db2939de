import type { Channel as ChannelRow } from '../../prisma/generated/client/client.ts';
import type { ContactRow } from '../contacts/columns.ts';
import { channelsWithAutoReply } from '../conversations/auto-reply.ts';
import type { StoredAuthor } from '../conversations/authors.ts';
import { reopened } from '../conversations/lifecycle.ts';
import type { ConversationRecord } from '../conversations/record.ts';
import { lockConversation, recordEntry } from '../conversations/thread.ts';
import { newId } from '../platform/ids.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';

const hour = 3_600_000;

/** Between two that open the same thread at once, one waits; held until the transaction ends. */
export async function holdKey(ctx: WorkContext, ...parts: readonly string[]): Promise<void> {
  const key = ['thread', ctx.companyId, ...parts].join(':');
  await ctx.db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
}

/**
 * The contact's newest open conversation on a channel; else their newest closed one, if the channel reopens it still;
 * else a new one. Locked for this transaction.
 * @param author who opens it
 * @param named one that goes before the others, if it is the contact's and may be gone on with
 */
export async function findOrOpen(
  ctx: WorkContext,
  channel: ChannelRow,
  contact: Pick<ContactRow, 'id'>,
  author: StoredAuthor,
  named: string | null = null,
): Promise<ConversationRecord> {
  const record = await findOrMake(ctx, channel, contact, author, { archived: false, named });
  return record.status === 'open' ? record : reopen(ctx, record, author);
}

/**
 * Where a broadcast to a contact goes: the thread that a message of theirs belongs to, left as it is, else a new one in
 * the archive. An answer brings it back; until then the inbox is not flooded. Locked for this transaction.
 */
export function findForBroadcast(
  ctx: WorkContext,
  channel: ChannelRow,
  contact: Pick<ContactRow, 'id'>,
  author: StoredAuthor,
): Promise<ConversationRecord> {
  return findOrMake(ctx, channel, contact, author, { archived: true, named: null });
}

/** The thread as it is, locked, or a new one. */
async function findOrMake(
  ctx: WorkContext,
  channel: ChannelRow,
  contact: Pick<ContactRow, 'id'>,
  author: StoredAuthor,
  { archived, named }: { archived: boolean; named: string | null },
): Promise<ConversationRecord> {
  await holdKey(ctx, channel.id, contact.id);
  const newest = await newestThread(ctx, channel, contact, named);
  return newest ? lockConversation(ctx, newest.id) : open(ctx, channel, contact, author, { archived });
}

/** Opens a closed conversation again because somebody writes in it. */
export function reopen(ctx: WorkContext, record: ConversationRecord, author: StoredAuthor) {
  return recordEntry(ctx, record, 'conversation.reopened', {
    changes: reopened,
    data: { from: 'closed', to: 'open' },
    author,
  });
}

/** The thread that a message of this contact belongs to, whatever its state; null when there is none to go on with. */
async function newestThread(
  ctx: WorkContext,
  { id, reopenHours }: Pick<ChannelRow, 'id' | 'reopenHours'>,
  contact: Pick<ContactRow, 'id'>,
  named: string | null,
): Promise<{ id: string } | null> {
  const closedAfter = new Date(reopenHours === null ? 0 : ctx.now().getTime() - reopenHours * hour);
  const rows = await ctx.db.$queryRaw<{ id: string }[]>`
    SELECT id FROM conversations
    WHERE company_id = ${ctx.companyId} AND contact_id = ${contact.id} AND channel_id = ${id}
      AND (status = 'open' OR (closed_at > ${closedAfter} AND ${reopenHours !== 0}))
    ORDER BY (id = ${named}) IS TRUE DESC, status = 'open' DESC, last_message_at DESC, id DESC LIMIT 1`;
  return rows[0] ?? null;
}

async function open(
  ctx: WorkContext,
  channel: ChannelRow,
  contact: Pick<ContactRow, 'id'>,
  author: StoredAuthor,
  { archived }: { archived: boolean },
): Promise<ConversationRecord> {
  const now = ctx.now();
  const replies = (await channelsWithAutoReply(ctx, [channel.id])).has(channel.id);
  const { id } = await ctx.db.conversation.create({
    data: {
      companyId: ctx.companyId,
      id: newId(),
      contactId: contact.id,
      channelId: channel.id,
      channelKind: channel.kind,
      aiAutoReply: replies ? 'on' : 'off',
      archived,
      lastMessageAt: now,
      // Its first entry, that it was created, takes the next millisecond.
      lastEntryAt: new Date(now.getTime() - 1),
      createdAt: now,
      updatedAt: now,
    },
    select: { id: true },
  });
  const record = await lockConversation(ctx, id);
  return recordEntry(ctx, record, 'conversation.created', { data: {}, author });
}
