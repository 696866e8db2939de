import type { InfiniteData } from '@tanstack/react-query';
import { type inferOutput, queryClient, trpc } from '../app/trpc.ts';
import type { RecordEvent } from '../realtime/follow-events.ts';
import { type News, useRecordNews, withRow } from '../realtime/use-record-news.ts';

type ProductPage = inferOutput<typeof trpc.products.records>;
type Product = ProductPage['data'][number];

/** Keeps products that are on the screen as their colleagues see them. */
export function useProductNews(): News {
  return useRecordNews({ family: 'product', enabled: true, filter: trpc.products.pathFilter(), apply });
}

function apply({ object }: RecordEvent): void {
  const after = object as unknown as Product;
  queryClient.setQueriesData<InfiniteData<ProductPage>>(trpc.products.records.infiniteQueryFilter(), (list) =>
    withRow(list, after.id, (row: Product) => (after.version < row.version ? row : after)),
  );
}
