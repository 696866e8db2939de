import { useEffect } from 'react';
import type { Mode } from '../app/mode.ts';
import { queryClient } from '../app/trpc.ts';
import type { Change } from './apply-change.ts';
import { followInbox, type InboxFilters } from './follow-inbox.ts';
import type { InboxItem } from './inbox-item.ts';
import { applyChanges, cachedList, reloadInbox, setTotalUnread } from './list-cache.ts';

/** Changes that come within one frame are drawn together, in milliseconds. */
const frame = 16;

/** Keeps lists of conversations and the badge as they are on the server, on every page. */
export function InboxFeed({ mode, filters }: { mode: Mode; filters: InboxFilters }) {
  const key = JSON.stringify(filters);
  useEffect(() => keepCurrent(mode, JSON.parse(key) as InboxFilters), [mode, key]);
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
    if (items.some(({ resync }) => resync)) void reloadInbox();
    const total = items.findLast(({ total_unread }) => total_unread !== null)?.total_unread;
    if (total != null) setTotalUnread(total);
    const changes = items.flatMap(({ conversation, matches }) =>
      conversation ? [{ conversation, matches }] : [],
    );
    if (changes.length === 0) return;
    if (cachedList(filters)?.state.fetchStatus === 'fetching') meanwhile.push(...changes);
    applyChanges(filters, changes);
  };
  const stop = followInbox(mode, filters, (item) => {
    waiting.push(item);
    timer ??= setTimeout(flush, frame);
  });
  const unsubscribe = queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return;
    if (meanwhile.length > 0 && event.query === cachedList(filters))
      applyChanges(filters, meanwhile.splice(0));
  });
  return () => {
    stop();
    unsubscribe();
    clearTimeout(timer);
  };
}
