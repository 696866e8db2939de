import type { InfiniteData } from '@tanstack/react-query';
import { type inferOutput, queryClient, trpc } from '../app/trpc.ts';
import type { RecordEvent } from '../realtime/follow-events.ts';
import { type News, useRecordNews, withRow } from '../realtime/use-record-news.ts';

type CampaignPage = inferOutput<typeof trpc.campaigns.list>;
type CampaignRecord = CampaignPage['data'][number];

/** Keeps the status of campaigns as their colleagues see it; the figures are read again by the second. */
export function useCampaignNews(): News {
  return useRecordNews({ family: 'campaign', enabled: true, filter: trpc.campaigns.pathFilter(), apply });
}

function apply({ object }: RecordEvent): void {
  const after = object as unknown as CampaignRecord;
  const newer = (row: CampaignRecord) => (after.version < row.version ? row : after);
  queryClient.setQueriesData<InfiniteData<CampaignPage>>(trpc.campaigns.list.infiniteQueryFilter(), (list) =>
    withRow(list, after.id, newer),
  );
  queryClient.setQueryData(
    trpc.campaigns.show.queryKey({ campaign: after.id }),
    (old) => old && { ...old, data: newer(old.data) },
  );
}
