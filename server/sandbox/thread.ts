import type { Prisma } from '../../prisma/generated/client/client.ts';
import { messageRow, snippetOf } from './message-row.ts';

/** Somebody who writes or acts, as rows keep them. */
export interface Author {
  type: 'contact' | 'agent' | 'ai' | 'api' | 'campaign' | 'automation' | 'system';
  id: string | null;
  name: string | null;
  email: string | null;
}

export interface Agent extends Author {
  type: 'agent';
  id: string;
  name: string;
  email: string;
}

export interface TagRef {
  id: string;
  name: string;
  color: string;
}

export interface MessageEntry {
  kind: 'message';
  author: Author;
  text: string;
  /** Outbound only; `read` unless given. */
  status?: 'held' | 'queued' | 'sent' | 'delivered' | 'read' | 'failed';
  heldUntil?: Date;
  failure?: { code: string; message: string };
  productId?: string;
  orderId?: string;
  campaignId?: string;
  /** Place among the thread's entries of the message that this one answers. */
  replyTo?: number;
}

export interface NoteEntry {
  kind: 'note';
  author: Agent;
  text: string;
  mentions?: Agent[];
}

export interface EventEntry {
  kind: 'event';
  author: Author;
  event:
    | { name: 'created' | 'closed' | 'reopened' | 'archived' | 'read' }
    | { name: 'assigned'; to: Agent }
    | { name: 'tagged' | 'untagged'; tag: TagRef }
    | { name: 'muted'; until: Date | null }
    | { name: 'rated'; rating: number; comment: string | null };
}

export type Entry = { at: Date } & (MessageEntry | NoteEntry | EventEntry);

/** One thread as it happened. Its entries are in order, each later than the one before. */
export interface Thread {
  companyId: string;
  id: string;
  contact: { id: string; name: string | null };
  channel: { id: string; kind: string };
  aiAutoReply?: 'on' | 'paused' | 'off';
  entries: readonly Entry[];
  /** Id of the entry at that place. */
  entryId(place: number, at: Date): string;
}

type ConversationRow = Prisma.ConversationCreateManyInput & {
  unreadCount: number;
  heldCount: number;
  assigneeId: string | null;
};

export interface ThreadRows {
  conversation: ConversationRow;
  messages: Prisma.MessageCreateManyInput[];
  notes: Prisma.NoteCreateManyInput[];
  mentions: Prisma.NoteMentionCreateManyInput[];
  timeline: Prisma.TimelineEventCreateManyInput[];
  tags: Prisma.ConversationTagCreateManyInput[];
}

/**
 * The rows of a thread. What the conversation row carries (last message, unread, waiting, tags, held batch) follows
 * from playing the entries in order, so it can't disagree with them.
 */
export function threadRows(thread: Thread): ThreadRows {
  const { companyId, id, entries } = thread;
  const first = entries[0];
  if (!first) throw new Error('A thread needs an entry.');
  const rows: ThreadRows = {
    conversation: {
      companyId,
      id,
      contactId: thread.contact.id,
      channelId: thread.channel.id,
      channelKind: thread.channel.kind,
      aiAutoReply: thread.aiAutoReply ?? 'off',
      status: 'open',
      archived: false,
      muted: false,
      assigneeId: null,
      unreadCount: 0,
      heldCount: 0,
      lastMessageAt: first.at,
      lastEntryAt: first.at,
      createdAt: first.at,
      updatedAt: first.at,
    },
    messages: [],
    notes: [],
    mentions: [],
    timeline: [],
    tags: [],
  };
  for (const [place, entry] of entries.entries()) {
    const entryId = thread.entryId(place, entry.at);
    if (entry.kind === 'message') playMessage(rows, thread, entry, entryId);
    else if (entry.kind === 'note') playNote(rows, thread, entry, entryId);
    else playEvent(rows, thread, entry, entryId);
    rows.conversation.lastEntryAt = entry.at;
    rows.conversation.updatedAt = entry.at;
  }
  const last = rows.messages.at(-1);
  if (last) rows.conversation.lastMessage = lastMessageOf(last);
  rows.conversation.tagIds = rows.tags.map((tag) => tag.tagId);
  return rows;
}

function playMessage(rows: ThreadRows, thread: Thread, entry: Entry & MessageEntry, id: string): void {
  const { conversation } = rows;
  const row = messageRow(thread, entry, id);
  rows.messages.push(row);
  conversation.lastMessageAt = entry.at;
  if (row.direction === 'inbound') {
    conversation.unreadCount++;
    conversation.lastInboundAt = entry.at;
    conversation.waitingSince ??= entry.at;
  } else if (row.status === 'held') {
    conversation.heldCount++;
    conversation.heldUntil ??= entry.heldUntil ?? null;
  } else if (entry.author.type !== 'campaign') {
    conversation.waitingSince = null;
    conversation.firstResponseAt ??= entry.at;
    // Only a human has read what they answer.
    if (entry.author.type === 'agent' || entry.author.type === 'api') conversation.unreadCount = 0;
  }
}

function lastMessageOf({
  id,
  direction,
  type,
  text,
  status,
  at,
}: Prisma.MessageCreateManyInput): Prisma.InputJsonObject {
  const snippet = typeof text === 'string' ? snippetOf(text) : '';
  return { id, direction, type, snippet, status, at: new Date(at).toISOString() };
}

function playNote(
  rows: ThreadRows,
  thread: Thread,
  { author, text, mentions = [], at }: Entry & NoteEntry,
  id: string,
) {
  const { companyId } = thread;
  rows.notes.push({
    companyId,
    id,
    conversationId: thread.id,
    contactId: thread.contact.id,
    text,
    authorType: author.type,
    authorId: author.id,
    authorName: author.name,
    authorEmail: author.email,
    at,
    createdAt: at,
  });
  for (const [position, agent] of mentions.entries()) {
    rows.mentions.push({ companyId, noteId: id, userId: agent.id, position });
  }
}

function playEvent(
  rows: ThreadRows,
  thread: Thread,
  { author, event, at }: Entry & EventEntry,
  id: string,
): void {
  const data = changeOf(rows, thread, event, author, at);
  // Reading is told to nobody; it has no place in the timeline.
  if (event.name === 'read') return;
  rows.timeline.push({
    companyId: thread.companyId,
    id,
    conversationId: thread.id,
    type: `conversation.${event.name}`,
    authorType: author.type,
    authorId: author.id,
    authorName: author.name,
    authorEmail: author.email,
    data,
    at,
  });
}

/** Applies the event to the conversation and returns what its entry tells: ids, values before and after. */
function changeOf(
  { conversation, tags }: ThreadRows,
  thread: Thread,
  event: EventEntry['event'],
  author: Author,
  at: Date,
): Prisma.InputJsonObject {
  switch (event.name) {
    case 'created':
      return {};
    case 'read':
      conversation.unreadCount = 0;
      return {};
    case 'assigned': {
      const from = conversation.assigneeId;
      const { id, name, email } = event.to;
      conversation.assigneeId = id;
      return { from: from === null ? null : { id: from }, to: { id, name, email } };
    }
    case 'tagged':
      tags.push({
        companyId: thread.companyId,
        conversationId: thread.id,
        tagId: event.tag.id,
        attachedAt: at,
        attachedBy: { type: author.type, id: author.id, name: author.name },
      });
      return { tag: { ...event.tag } };
    case 'untagged':
      tags.splice(0, tags.length, ...tags.filter((tag) => tag.tagId !== event.tag.id));
      return { tag: { ...event.tag } };
    case 'closed':
      conversation.status = 'closed';
      conversation.closedAt = at;
      conversation.closedBy = { type: author.type, id: author.id, name: author.name, email: author.email };
      conversation.unreadCount = 0;
      conversation.waitingSince = null;
      return { from: 'open', to: 'closed' };
    case 'reopened':
      conversation.status = 'open';
      return { from: 'closed', to: 'open' };
    case 'archived':
      conversation.archived = true;
      return {};
    case 'muted':
      conversation.muted = true;
      conversation.mutedUntil = event.until;
      return { until: event.until?.toISOString() ?? null };
    case 'rated':
      conversation.rating = event.rating;
      conversation.ratingComment = event.comment;
      conversation.ratedAt = at;
      return { rating: event.rating, comment: event.comment };
  }
}
