import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import type { MessageMedia, MessageStatus } from '../../../schema/entries.ts';
import type { TimelineEntry, TimelinePage } from '../../../schema/timeline.ts';
import { queryClient, trpc } from '../app/trpc.ts';

const pageSize = 50;
type Thread = InfiniteData<TimelinePage, string | null>;

const keyOf = (conversation: string) => ['thread', conversation] as const;

/** The pages of a timeline that are loaded, newest first. Changes are merged in, so it is never fetched again as a whole. */
export function useThread(conversation: string) {
  return useInfiniteQuery({
    queryKey: keyOf(conversation),
    queryFn: ({ pageParam }) => loadPage(conversation, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }: TimelinePage) => meta.next_before,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Entries of loaded pages, oldest first; cancelled messages are gone. */
export function entriesIn(thread: InfiniteData<TimelinePage> | undefined): TimelineEntry[] {
  return (thread?.pages ?? [])
    .flatMap(({ data }) => data)
    .filter((entry) => entry.kind !== 'message' || entry.status !== 'cancelled')
    .toReversed();
}

function loadPage(conversation: string, before: string | null): Promise<TimelinePage> {
  return queryClient.fetchQuery(
    trpc.conversations.timeline.queryOptions(
      { conversation, limit: pageSize, ...(before === null ? {} : { before }) },
      { staleTime: 0, gcTime: 0 },
    ),
  );
}

/** Puts entries, new or changed, into what is loaded. The same one again changes nothing. */
export function mergeEntries(conversation: string, entries: readonly TimelineEntry[]): void {
  queryClient.setQueryData<Thread>(
    keyOf(conversation),
    (thread) => thread && entries.reduce(withEntry, thread),
  );
}

/** What is loaded now, and whether there is more. */
export function readThread(conversation: string): { data: Thread | undefined; hasNextPage: boolean } {
  const data = queryClient.getQueryData<Thread>(keyOf(conversation));
  return { data, hasNextPage: data === undefined || data.pages.at(-1)?.meta.has_more === true };
}

/** Entries that are loaded, oldest first. */
export function loadedEntries(conversation: string): TimelineEntry[] {
  return entriesIn(queryClient.getQueryData<Thread>(keyOf(conversation)));
}

/** Pictures that are loaded, oldest first. */
export function imagesIn(conversation: string): MessageMedia[] {
  return loadedEntries(conversation).flatMap((entry) =>
    entry.kind === 'message' && (entry.media?.kind === 'image' || entry.media?.kind === 'sticker')
      ? entry.media
      : [],
  );
}

/** When the newest entry that is loaded was made; empty when there is none. */
export function newestAt(conversation: string): string {
  return queryClient.getQueryData<Thread>(keyOf(conversation))?.pages[0]?.data[0]?.at ?? '';
}

/** Loads what came while nobody listened. Where too much came, the thread begins anew from its end. */
export async function catchUp(conversation: string): Promise<void> {
  if (queryClient.getQueryData(keyOf(conversation)) === undefined) return;
  const page = await loadPage(conversation, null);
  queryClient.setQueryData<Thread>(keyOf(conversation), (thread) => {
    const known = new Set(thread?.pages.flatMap(({ data }) => data.map(({ id }) => id)));
    const meets = !page.meta.has_more || page.data.some(({ id }) => known.has(id));
    return thread && meets ? page.data.reduce(withEntry, thread) : { pages: [page], pageParams: [null] };
  });
}

/** What becomes of a message, in order: news that come late do not take it back. */
const order: readonly MessageStatus[] = [
  'held',
  'queued',
  'sent',
  'delivered',
  'read',
  'received',
  'failed',
  'cancelled',
];

function newer(known: TimelineEntry, told: TimelineEntry): TimelineEntry {
  if (known.kind !== 'message' || told.kind !== 'message') return told;
  return order.indexOf(told.status) >= order.indexOf(known.status) ? told : known;
}

function withEntry(thread: Thread, entry: TimelineEntry): Thread {
  const at = thread.pages.findIndex(({ data }) => data.some(({ id }) => id === entry.id));
  const known = thread.pages[at];
  if (known) {
    const data = known.data.map((one) => (one.id === entry.id ? newer(one, entry) : one));
    return { ...thread, pages: thread.pages.with(at, { ...known, data }) };
  }
  const [first, ...rest] = thread.pages;
  if (!first) return thread;
  // Older than everything that is loaded: its page will bring it.
  const last = thread.pages.at(-1);
  if (last?.meta.has_more && entry.at < (last.data.at(-1)?.at ?? '')) return thread;
  const data = [entry, ...first.data].toSorted((a, b) => (a.at < b.at ? 1 : -1));
  return { ...thread, pages: [{ ...first, data }, ...rest] };
}

/** Loads the newest page of a timeline that is likely to be opened next. */
export function prefetchThread(conversation: string): Promise<void> {
  return queryClient.prefetchInfiniteQuery({
    queryKey: keyOf(conversation),
    queryFn: ({ pageParam }) => loadPage(conversation, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }: TimelinePage) => meta.next_before,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Forgets a timeline that is not on the screen. */
export function forgetThread(conversation: string): void {
  queryClient.removeQueries({ queryKey: keyOf(conversation), type: 'inactive' });
}
