import { useEffect } from 'react';
import type { Author, MessageMedia, ReplySnippet } from '../../../schema/entries.ts';
import type { TimelineEntry } from '../../../schema/timeline.ts';
import { currentMode } from '../app/mode.ts';
import { queryClient, trpc } from '../app/trpc.ts';
import { socket } from '../realtime/socket.ts';
import { refreshConversation } from './conversation-data.ts';
import { follow } from './follow.ts';
import { catchUp, mergeEntries } from './thread-data.ts';

const subscription = `subscription Thread($conversation: ID!, $after: ID) {
  timeline(conversation: $conversation, after: $after) {
    id sequence type resync object
    entry {
      id kind at subject text direction type status failureReason aiGenerated heldUntil event label data
      author { type name email }
      media { id url kind mimeType size filename }
      replyTo { id snippet author { type name email } }
      mentions(first: 50) { name email }
    }
  }
}`;

interface Item {
  id: string | null;
  sequence: number | null;
  type: string;
  resync: boolean;
  object: Record<string, unknown> | null;
  entry: LiveEntry | null;
}

interface LiveEntry {
  id: string;
  kind: 'message' | 'note' | 'event';
  at: string;
  subject: string | null;
  text: string | null;
  direction: string | null;
  type: string | null;
  status: string | null;
  failureReason: string | null;
  aiGenerated: boolean | null;
  heldUntil: string | null;
  event: string | null;
  label: string | null;
  data: Record<string, unknown> | null;
  author: Author | null;
  media: (Omit<MessageMedia, 'mime_type'> & { mimeType: string }) | null;
  replyTo: ReplySnippet | null;
  mentions: { name: string; email: string }[] | null;
}

/**
 * Keeps the timeline as it is on the server. After a break the stream goes on behind the last event that was heard.
 * @param heard told of each entry as it comes
 * @param types told when the customer begins to type, and when they stop
 */
export function useLive(
  conversation: string,
  heard: (entry: TimelineEntry) => void,
  types: (active: boolean) => void,
): void {
  useEffect(() => {
    // Read when the stream is asked for, after each break too.
    const variables: { conversation: string; after?: string } = { conversation };
    const seen = new Set<string>();
    let refreshing: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      clearTimeout(refreshing);
      refreshing = setTimeout(() => refreshConversation(conversation), 150);
    };
    const next = (item: Item) => {
      if (item.sequence !== null) variables.after = String(item.sequence);
      if (item.type === 'typing') return types(item.object?.['typing'] === true);
      if (item.resync) return void catchUp(conversation).catch(() => {});
      if (item.id !== null && seen.has(item.id)) return;
      if (item.id !== null) seen.add(item.id);
      if (item.entry) {
        const entry = entryOf(item.entry);
        mergeEntries(conversation, [entry]);
        heard(entry);
      }
      if (item.type.startsWith('ai_suggestion')) {
        void queryClient.invalidateQueries(trpc.ai.suggestions.queryFilter({ conversation }));
      } else if (item.type === 'insights.updated') {
        void queryClient.invalidateQueries(trpc.ai.insights.queryFilter({ conversation }));
      }
      refresh();
    };
    const stop = follow(subscription, variables, next);
    const forget = socket(currentMode()).on('connected', refresh);
    return () => {
      forget();
      stop();
      clearTimeout(refreshing);
    };
  }, [conversation, heard, types]);
}

function entryOf(live: LiveEntry): TimelineEntry {
  const base = { id: live.id, at: live.at, author: live.author };
  if (live.kind === 'note')
    return { ...base, kind: 'note', text: live.text ?? '', mentions: live.mentions ?? [] };
  if (live.kind === 'event')
    return {
      ...base,
      kind: 'event',
      event: live.event ?? '',
      label: live.label ?? '',
      data: live.data ?? {},
    };
  const media = live.media && {
    id: live.media.id,
    url: live.media.url,
    kind: live.media.kind,
    mime_type: live.media.mimeType,
    size: live.media.size,
    filename: live.media.filename,
  };
  return {
    ...base,
    kind: 'message',
    direction: live.direction === 'inbound' ? 'inbound' : 'outbound',
    type: (live.type ?? 'text') as Extract<TimelineEntry, { kind: 'message' }>['type'],
    subject: live.subject,
    text: live.text,
    media,
    status: (live.status ?? 'queued') as Extract<TimelineEntry, { kind: 'message' }>['status'],
    failure_reason: live.failureReason,
    reply_to: live.replyTo,
    ai_generated: live.aiGenerated ?? false,
    held_until: live.heldUntil,
  };
}
