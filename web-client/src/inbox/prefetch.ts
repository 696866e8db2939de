import { useEffect } from 'react';
import { queryClient, trpc } from '../app/trpc.ts';
import { forgetThread, prefetchThread } from '../conversation/thread-data.ts';

/** How long nothing else is chosen before the neighbours are loaded, in milliseconds. */
const idle = 150;
/** So many conversations stay in memory; those not looked at for longest go first. */
const keptMaximum = 30;

/** Least recently used first. */
const kept = new Set<string>();

/** Loads the conversations above and below the open one while nothing else happens. */
export function usePrefetch(
  open: string | undefined,
  previous: string | undefined,
  next: string | undefined,
) {
  useEffect(() => {
    if (open === undefined) return undefined;
    const timer = setTimeout(() => {
      for (const id of [previous, next]) if (id !== undefined) prefetch(id);
      keep(open);
      forgetOld([open, previous, next]);
    }, idle);
    return () => clearTimeout(timer);
  }, [open, previous, next]);
}

function prefetch(id: string): void {
  keep(id);
  void queryClient.prefetchQuery(trpc.conversations.show.queryOptions({ conversation: id }));
  void prefetchThread(id);
}

function keep(id: string): void {
  kept.delete(id);
  kept.add(id);
}

function forgetOld(needed: readonly (string | undefined)[]): void {
  for (const id of [...kept].slice(0, Math.max(0, kept.size - keptMaximum))) {
    if (needed.includes(id)) continue;
    kept.delete(id);
    forgetThread(id);
    queryClient.removeQueries({
      ...trpc.conversations.show.queryFilter({ conversation: id }),
      type: 'inactive',
    });
  }
}
