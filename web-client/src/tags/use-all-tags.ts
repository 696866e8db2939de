import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { byCursor, rowsOf } from '../app/record-table.tsx';
import { type inferOutput, trpc } from '../app/trpc.ts';

export type Tag = inferOutput<typeof trpc.tags.list>['data'][number];

/** Every tag of the company, page after page: there are 500 at most. Nothing without the scope to see them. */
export function useAllTags(enabled = true): readonly Tag[] {
  const query = useInfiniteQuery(
    trpc.tags.list.infiniteQueryOptions({ limit: 100 }, { ...byCursor, enabled }),
  );
  const { hasNextPage, isFetching, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return rowsOf(query);
}
