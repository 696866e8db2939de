import { useEffect } from 'react';
import type { Mode } from '../app/mode.ts';
import { queryClient } from '../app/trpc.ts';
import type { Change, Listed } from './apply-change.ts';
import { loadEditors, setEditor } from './editing.ts';
import { followInbox, type InboxFilters } from './follow-inbox.ts';
import type { InboxItem } from './inbox-item.ts';
import { applyChanges, cachedList, keepRows, reloadInbox, setTotalUnread } from './list-cache.ts';
import { followPersonal } from './personal-feed.ts';
import { playMessage } from './sounds.ts';
import { recount } from './view-counts.ts';

/** Changes that come within one frame are drawn together, in milliseconds. */
const frame = 16;

/** Keeps lists of conversations and the badge as they are on the server, on every page. */
export function InboxFeed({ mode, filters }: { mode: Mode; filters: InboxFilters }) {
  const key = JSON.stringify(filters);
  useEffect(() => keepCurrent(mode, JSON.parse(key) as InboxFilters), [mode, key]);
  useEffect(() => followPersonal(mode), [mode]);
  return null;
}

function keepCurrent(mode: Mode, filters: InboxFilters): () => void {
  const waiting: InboxItem[] = [];
  /** Heard while the list was being fetched: the answer may be older than they are. */
  const meanwhile: Change[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = () => {
    timer = undefined;
    const items = waiting.splice(0);
    if (items.some(({ resync }) => resync)) {
      void reloadInbox();
      // What is not told again is asked for again; without it, no row says who is replying.
      void loadEditors().catch(() => {});
    }
    const total = items.findLast(({ total_unread }) => total_unread !== null)?.total_unread;
    if (total != null) setTotalUnread(total);
    for (const { presence } of items)
      if (presence) setEditor(presence.conversation, presence.locked_by_other ? presence.editing_by : null);
    const changes = items.flatMap(changeIn);
    if (changes.length === 0) return;
    recount();
    for (const item of items) playMessage(item);
    if (cachedList(filters)?.state.fetchStatus === 'fetching') meanwhile.push(...changes);
    applyChanges(filters, changes);
  };
  const stop = followInbox(mode, filters, (item) => {
    waiting.push(item);
    timer ??= setTimeout(flush, frame);
  });
  /** The list as it was until it is loaded anew. */
  let before = cachedList(filters)?.state.data as Listed | undefined;
  const unsubscribe = queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.query !== cachedList(filters)) return;
    if (event.action.type === 'success' && !event.action.manual) {
      if (before) keepRows(filters, before, openConversation());
      if (meanwhile.length > 0) applyChanges(filters, meanwhile.splice(0));
    }
    before = event.query.state.data as Listed | undefined;
  });
  return () => {
    stop();
    unsubscribe();
    clearTimeout(timer);
  };
}

/** The one beside the list, if any. */
function openConversation(): string | undefined {
  return new URLSearchParams(location.search).get('open') ?? undefined;
}

function changeIn({ conversation, matches, note }: InboxItem): Change[] {
  if (!conversation) return [];
  if (!note) return [{ conversation, matches }];
  const { text, at, author } = note;
  return [{ conversation, matches, note: { snippet: text.slice(0, 160), author: author?.name ?? null, at } }];
}
