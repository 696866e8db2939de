import type { Channel as ChannelRow } from '../../prisma/generated/client/client.ts';
import type { ContactRow } from '../contacts/columns.ts';
import { channelsWithAutoReply } from '../conversations/auto-reply.ts';
import type { StoredAuthor } from '../conversations/authors.ts';
import { reopened } from '../conversations/lifecycle.ts';
import type { ConversationRecord } from '../conversations/record.ts';
import {
  changeConversations,
  lockConversation,
  lockConversations,
  recordEntry,
} from '../conversations/thread.ts';
import { newId } from '../platform/ids.ts';
import { among } from '../platform/pagination.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';

const hour = 3_600_000;

/** Between two that open the same thread at once, one waits; held until the transaction ends. */
export function holdKey(ctx: WorkContext, ...parts: readonly string[]): Promise<void> {
  return holdKeys(ctx, [parts]);
}

/** The same for many, always in one order. */
async function holdKeys(ctx: WorkContext, all: readonly (readonly string[])[]): Promise<void> {
  const keys = all.map((parts) => ['thread', ctx.companyId, ...parts].join(':')).toSorted();
  await ctx.db
    .$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(key, 0)) FROM unnest(${keys}::text[]) AS key`;
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
  const record = await findOrMake(ctx, channel, contact, author, named);
  return record.status === 'open' ? record : reopen(ctx, record, author);
}

/**
 * Where a broadcast to each of these contacts goes: the thread that a message of theirs belongs to, left as it is, else a
 * new one in the archive. An answer brings it back; until then the inbox is not flooded. Locked for this transaction.
 */
export async function findForBroadcast(
  ctx: WorkContext,
  channel: ChannelRow,
  contacts: readonly Pick<ContactRow, 'id'>[],
  author: StoredAuthor,
): Promise<ReadonlyMap<string, ConversationRecord>> {
  const ids = contacts.map(({ id }) => id);
  await holdKeys(
    ctx,
    ids.map((id) => [channel.id, id]),
  );
  const newest = await newestThreads(ctx, channel, ids, null);
  const found = await lockConversations(
    ctx,
    newest.map(({ id }) => id),
  );
  const known = new Set(found.map(({ contactId }) => contactId));
  const missing = ids.filter((id) => !known.has(id));
  const made = await open(ctx, channel, missing, author, { archived: true });
  return new Map([...found, ...made].map((record) => [record.contactId, record]));
}

/** The thread as it is, locked, or a new one. */
async function findOrMake(
  ctx: WorkContext,
  channel: ChannelRow,
  contact: Pick<ContactRow, 'id'>,
  author: StoredAuthor,
  named: string | null,
): Promise<ConversationRecord> {
  await holdKey(ctx, channel.id, contact.id);
  const [newest] = await newestThreads(ctx, channel, [contact.id], named);
  if (newest) return lockConversation(ctx, newest.id);
  const [made] = await open(ctx, channel, [contact.id], author, { archived: false });
  if (!made) throw new Error('No conversation was made.');
  return made;
}

/** Opens a closed conversation again because somebody writes in it. */
export function reopen(ctx: WorkContext, record: ConversationRecord, author: StoredAuthor) {
  return recordEntry(ctx, record, 'conversation.reopened', {
    changes: reopened,
    data: { from: 'closed', to: 'open' },
    author,
  });
}

/** The thread that a message of each contact belongs to, whatever its state; none where there is none to go on with. */
function newestThreads(
  ctx: WorkContext,
  { id, reopenHours }: Pick<ChannelRow, 'id' | 'reopenHours'>,
  contacts: readonly string[],
  named: string | null,
): Promise<{ id: string }[]> {
  const closedAfter = new Date(reopenHours === null ? 0 : ctx.now().getTime() - reopenHours * hour);
  return ctx.db.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT ON (contact_id) id FROM conversations
    WHERE company_id = ${ctx.companyId} AND contact_id ${among(contacts)} AND channel_id = ${id}
      AND (status = 'open' OR (closed_at > ${closedAfter} AND ${reopenHours !== 0}))
    ORDER BY contact_id, (id = ${named}) IS TRUE DESC, status = 'open' DESC, last_message_at DESC, id DESC`;
}

async function open(
  ctx: WorkContext,
  channel: ChannelRow,
  contacts: readonly string[],
  author: StoredAuthor,
  { archived }: { archived: boolean },
): Promise<ConversationRecord[]> {
  if (contacts.length === 0) return [];
  const now = ctx.now();
  // Its first entry, that it was created, takes the next millisecond.
  const before = new Date(now.getTime() - 1);
  const replies = (await channelsWithAutoReply(ctx, [channel.id])).has(channel.id);
  const rows = contacts.map((contact) => ({ id: newId(), contact }));
  await ctx.db.$executeRaw`
    INSERT INTO conversations (company_id, id, contact_id, channel_id, channel_kind, ai_auto_reply, archived,
      last_message_at, last_entry_at, created_at, updated_at)
    SELECT ${ctx.companyId}, given.id, given.contact, ${channel.id}, ${channel.kind}, ${replies ? 'on' : 'off'},
      ${archived}::boolean, ${now}, ${before}, ${now}, ${now}
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS given (id text, contact text)`;
  const records = await lockConversations(
    ctx,
    rows.map((row) => row.id),
  );
  const entries = [{ type: 'conversation.created' as const, data: {}, author }];
  return changeConversations(
    ctx,
    records.map((record) => ({ record, changes: {}, entries })),
  );
}
