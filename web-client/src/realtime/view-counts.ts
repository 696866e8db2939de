import { queryClient, trpc } from '../app/trpc.ts';

/** Counts are asked for at most once in so many milliseconds. */
const pause = 1_000;

let timer: ReturnType<typeof setTimeout> | undefined;
let lastAt = 0;

/** How many conversations each view has, as the server counts. */
export function countsQuery() {
  return trpc.views.counts.queryOptions(
    {},
    { staleTime: Number.POSITIVE_INFINITY, refetchOnMount: 'always' },
  );
}

/** Something has changed that may be counted: asks again, now or when the pause is over. */
export function recount(): void {
  if (timer !== undefined) return;
  timer = setTimeout(
    () => {
      timer = undefined;
      lastAt = Date.now();
      void queryClient.invalidateQueries(trpc.views.counts.queryFilter());
      // Excerpts of a view, as the home page has one; the list of the inbox hears each change by itself.
      void queryClient.invalidateQueries(trpc.views.conversations.queryFilter());
    },
    Math.max(0, lastAt + pause - Date.now()),
  );
}
