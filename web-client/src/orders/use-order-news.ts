import type { InfiniteData } from '@tanstack/react-query';
import { type inferOutput, queryClient, trpc } from '../app/trpc.ts';
import type { RecordEvent } from '../realtime/follow-events.ts';
import { type News, useRecordNews, withRow } from '../realtime/use-record-news.ts';

type OrderPage = inferOutput<typeof trpc.orders.list>;
type OrderRecord = OrderPage['data'][number];

/** Keeps orders that are on the screen as their colleagues see them. */
export function useOrderNews(): News {
  return useRecordNews({ family: 'order', enabled: true, filter: trpc.orders.pathFilter(), apply });
}

function apply({ object }: RecordEvent): void {
  const after = object as unknown as OrderRecord;
  const newer = (row: OrderRecord) => (after.updated_at < row.updated_at ? row : after);
  queryClient.setQueriesData<InfiniteData<OrderPage>>(trpc.orders.list.infiniteQueryFilter(), (list) =>
    withRow(list, after.id, newer),
  );
  queryClient.setQueryData(
    trpc.orders.show.queryKey({ order: after.id }),
    (old) => old && { ...old, data: newer(old.data) },
  );
}
