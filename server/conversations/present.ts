import type { Conversation, ConversationAction, Presence } from '../../schema/conversations.ts';
import type { Context } from '../platform/context.ts';
import { presentAuthor } from './authors.ts';
import type { PresenceState } from './presence.ts';
import type { ConversationRecord, ShownConversation } from './record.ts';
import { replyWindowOf } from './reply-window.ts';
import { iso } from '../platform/present.ts';

/** The public record. What depends on the time (mute, reply window) is told as of `now`. */
export function presentConversation(record: ConversationRecord, now: Date): Conversation {
  const muted = isMuted(record, now);
  const window = replyWindowOf(record.channelKind, record.lastInboundAt, now);
  return {
    id: record.id,
    contact: {
      id: record.contactId,
      name: record.contactName,
      phone: record.contactPhone,
      email: record.contactEmail,
    },
    channel: record.channelKind,
    status: record.status === 'closed' ? 'closed' : 'open',
    archived: record.archived,
    muted,
    muted_until: muted ? iso(record.mutedUntil) : null,
    pinned: record.pinned,
    followed: record.followed,
    read: record.unreadCount === 0,
    unread_count: record.unreadCount,
    assignee: agentOf(record.assigneeName, record.assigneeEmail),
    team: record.teamId === null ? null : { id: record.teamId, name: record.teamName ?? '' },
    tags: record.tags,
    rating: record.rating,
    rating_comment: record.ratingComment,
    last_message: record.lastMessage,
    last_message_at: record.lastMessageAt.toISOString(),
    waiting_since: iso(record.waitingSince),
    first_response_at: iso(record.firstResponseAt),
    reply_window: { open: window.open, expires_at: iso(window.expiresAt) },
    held: record.heldUntil ? { count: record.heldCount, send_at: record.heldUntil.toISOString() } : null,
    ai: { auto_reply: autoReplyOf(record.aiAutoReply), pending_suggestions: record.pendingSuggestions },
    closed_at: iso(record.closedAt),
    closed_by: record.closedBy && presentAuthor(record.closedBy),
    created_at: record.createdAt.toISOString(),
    updated_at: record.updatedAt.toISOString(),
    version: record.version,
    allowed_actions: allowedActions(record, muted),
  };
}

/** The record of `show`, with the one figure that lists leave out. */
export function presentShown(record: ShownConversation, now: Date): Conversation {
  return { ...presentConversation(record, now), followers_count: record.followersCount };
}

/** The edit lock as the acting user sees it. */
export function presentPresence(state: PresenceState, { principal }: Pick<Context, 'principal'>): Presence {
  const isMe = state.holderId !== null && state.holderId === principal.user?.id;
  return {
    conversation: state.conversationId,
    locked: state.holderId !== null,
    locked_by_other: state.holderId !== null && !isMe,
    editing_by: state.holderName,
    is_me: isMe,
  };
}

/** A mute whose end has passed is none. */
export function isMuted({ muted, mutedUntil }: Pick<ConversationRecord, 'muted' | 'mutedUntil'>, now: Date) {
  return muted && (mutedUntil === null || mutedUntil > now);
}

/** @param muted as of now: see `isMuted` */
export function allowedActions(record: ConversationRecord, muted: boolean): ConversationAction[] {
  const possible: [boolean, ConversationAction][] = [
    [true, 'assign'],
    [record.assigneeId !== null, 'unassign'],
    [true, 'transfer'],
    [record.status === 'open', 'close'],
    [record.status === 'closed', 'reopen'],
    [record.unreadCount > 0, 'read'],
    [record.unreadCount === 0, 'unread'],
    [true, 'mute'],
    [muted, 'unmute'],
    [!record.archived, 'archive'],
    [record.archived, 'unarchive'],
    [!record.pinned, 'pin'],
    [record.pinned, 'unpin'],
    [!record.followed, 'follow'],
    [record.followed, 'unfollow'],
    [true, 'notes'],
    [true, 'tags'],
    [record.heldCount > 0, 'flush-held'],
  ];
  return possible.filter(([allowed]) => allowed).map(([, action]) => action);
}

function agentOf(name: string | null, email: string | null): Conversation['assignee'] {
  return name === null || email === null ? null : { name, email };
}

function autoReplyOf(stored: string): Conversation['ai']['auto_reply'] {
  return stored === 'on' || stored === 'paused' ? stored : 'off';
}
