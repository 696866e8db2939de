import type { Conversation } from '../../../schema/conversations.ts';

/** One item of the subscription `inbox`, in the words of the API. */
export interface InboxItem {
  /** Where to resume; null for what is not in the log. */
  sequence: number | null;
  /** What came before is no longer known: lists are loaded anew. */
  resync: boolean;
  conversation: Conversation | null;
  /** Whether the list with the subscription's filters has the conversation now. */
  matches: boolean;
  total_unread: number | null;
  /** The kind of event. */
  type: string;
  /** With news of a note. */
  note: { text: string; at: string; author: { name: string | null } | null } | null;
  /** With news of who edits a conversation. */
  presence: { conversation: string; editing_by: string | null; locked_by_other: boolean } | null;
}

export const inboxSubscription = `subscription Inbox($after: ID, $status: ConversationsStatus, $assignee: String,
  $channel: String, $tag: ID, $contact: ID, $q: String, $archived: Boolean, $unassigned: Boolean, $read: Boolean,
  $muted: Boolean, $period: ConversationsPeriod, $rating: Int, $view: InboxView) {
  inbox(after: $after, view: $view, status: $status, assignee: $assignee, channel: $channel, tag: $tag, contact: $contact, q: $q,
    archived: $archived, unassigned: $unassigned, read: $read, muted: $muted, period: $period, rating: $rating) {
    sequence type resync matches totalUnread
    presence { conversation editingBy lockedByOther }
    note { text at author { name } }
    conversation {
      id contact { id name phone email } channel status archived muted mutedUntil pinned followed read unreadCount
      assignee { name email } team { id name } tags { id name color } rating ratingComment
      lastMessage { id direction type snippet status at } lastMessageAt waitingSince firstResponseAt
      replyWindow { open expiresAt } held { count sendAt } ai { autoReply pendingSuggestions }
      closedAt closedBy { type name email } createdAt updatedAt version allowedActions
    }
  }
}`;

/** GraphQL's item in the words of the API: the fields are the same, their names are not. */
export function itemOf(item: unknown): InboxItem {
  return renamed(item) as InboxItem;
}

function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [snake(name), renamed(inner)]));
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
