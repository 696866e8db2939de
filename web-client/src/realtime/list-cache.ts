import type { Query } from '@tanstack/react-query';
import type { Conversation } from '../../../schema/conversations.ts';
import { currentMode } from '../app/mode.ts';
import { queryClient, trpc } from '../app/trpc.ts';
import {
  applyChange,
  type Change,
  changeRow,
  dropLeft,
  keepShown,
  type Listed,
  type Row,
} from './apply-change.ts';
import type { InboxFilters } from './follow-inbox.ts';

/** Rows of one page of the list. */
const pageLength = 50;
/** For so long, in milliseconds, a list that was loaded ahead needs not be asked for again. */
const fresh = 2_000;

/** The list with these filters, page by page. What happens to it is heard live, so it is not asked for again. */
export function listQuery(filters: InboxFilters) {
  return trpc.views.conversations.infiniteQueryOptions(
    { ...filters, limit: pageLength },
    {
      getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnMount: ({ state }) => (Date.now() - state.dataUpdatedAt < fresh ? false : 'always'),
      // Rows that have not changed are the same objects already. Where one moves up, a comparison place by place
      // would find thousands that differ, and copy them.
      structuralSharing: false,
      // An answer to letters that were typed over is of no use.
      trpc: { abortOnUnmount: true },
    },
  );
}

/** Asks for the first page of a list that will be shown. */
export function prefetchList(filters: InboxFilters): Promise<void> {
  return queryClient.prefetchInfiniteQuery(listQuery(filters));
}

/** The number on the badge. */
export function unreadQuery() {
  return trpc.conversations.list.queryOptions(
    { limit: 1 },
    { select: ({ meta }) => meta.total_unread, staleTime: Number.POSITIVE_INFINITY },
  );
}

export function setTotalUnread(total: number): void {
  queryClient.setQueryData(
    trpc.conversations.list.queryKey({ limit: 1 }),
    (old) => old && { ...old, meta: { ...old.meta, total_unread: total } },
  );
}

/** The kept list with these filters. */
export function cachedList(filters: InboxFilters): Query | undefined {
  const { queryKey } = listQuery(filters);
  return lists().find((query) => query.queryHash === hashOf(queryKey));
}

/** Applies what was heard to the list that was listened for; others only show their rows as they are now. */
export function applyChanges(filters: InboxFilters, changes: readonly Change[]): void {
  const current = cachedList(filters);
  for (const query of lists()) {
    write(query, (list) =>
      query === current
        ? changes.reduce((known, change) => applyChange(known, change, filters.sort), list)
        : changes.reduce((known, { conversation, note }) => newer(known, conversation, note), list),
    );
  }
  for (const { conversation } of changes) acceptShown(conversation);
}

/** Shows a conversation as the server has just answered it, wherever it is on the screen. */
export function acceptConversation(conversation: Conversation): void {
  for (const query of lists()) write(query, (list) => newer(list, conversation));
  acceptShown(conversation);
}

/** Changes a row in every list at once, before the server has answered. */
export function changeRows(id: string, change: (row: Row) => Row): void {
  for (const query of lists()) write(query, (list) => changeRow(list, id, change));
}

/** Takes away the rows that have left the list, but for one. */
export function leaveBehind(filters: InboxFilters, except: string | null): void {
  const query = cachedList(filters);
  if (query) write(query, (list) => dropLeft(list, except));
}

/** Puts back what was on the screen before a list was loaded anew and is not in it any more. */
export function keepRows(filters: InboxFilters, before: Listed, open: string | undefined): void {
  const query = cachedList(filters);
  if (query) write(query, (list) => keepShown(list, before, open, filters.sort));
}

/** Forgets all but the first page, and what has left it, so that coming back asks for no more than one. */
export function trimList(filters: InboxFilters): void {
  const query = cachedList(filters);
  if (query)
    write(query, (list) => {
      const { pages, pageParams } = dropLeft(list, null);
      return pages.length > 1 || pages !== list.pages
        ? { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) }
        : list;
    });
}

/** Loads lists and the open conversation anew. */
export async function reloadInbox(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries(trpc.views.pathFilter()),
    queryClient.invalidateQueries(trpc.conversations.list.pathFilter()),
    queryClient.invalidateQueries(trpc.conversations.show.pathFilter()),
  ]);
}

function newer(list: Listed, conversation: Conversation, note?: Row['note']): Listed {
  return changeRow(list, conversation.id, (row) =>
    conversation.version >= row.version ? withNote(conversation, note ?? row.note) : row,
  );
}

function withNote(conversation: Conversation, note: Row['note']): Row {
  return note ? { ...conversation, note } : conversation;
}

function acceptShown(conversation: Conversation): void {
  queryClient.setQueryData(trpc.conversations.show.queryKey({ conversation: conversation.id }), (old) =>
    old && old.data.version < conversation.version ? { ...old, data: { ...old.data, ...conversation } } : old,
  );
}

function lists(): Query[] {
  return queryClient
    .getQueryCache()
    .findAll(trpc.views.conversations.infiniteQueryFilter())
    .filter(({ queryHash }) => queryHash.startsWith(`${currentMode()} `));
}

function hashOf(queryKey: readonly unknown[]): string {
  return queryClient.defaultQueryOptions({ queryKey }).queryHash;
}

function write(query: Query, change: (list: Listed) => Listed): void {
  const list = query.state.data as Listed | undefined;
  if (!list) return;
  const next = change(list);
  if (next !== list) query.setData(next, { manual: true });
}
