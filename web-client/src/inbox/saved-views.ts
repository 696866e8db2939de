import { useQuery } from '@tanstack/react-query';
import { useProfile } from '../account/use-profile.ts';
import { type inferOutput, queryClient, trpc } from '../app/trpc.ts';

export type SavedView = inferOutput<typeof trpc.savedViews.list>['data'][number];

/** Saved views of the inbox: those that the agent has made, and what others share. */
export function useSavedViews(): { own: SavedView[]; shared: SavedView[] } {
  const { email } = useProfile();
  const { data } = useQuery(trpc.savedViews.list.queryOptions({ resource: 'conversations' }));
  const all = data?.data ?? [];
  return {
    own: all.filter(({ owner }) => owner.email === email),
    shared: all.filter(({ owner }) => owner.email !== email),
  };
}

/** Whether the agent may show a view to the whole company. */
export function useShares(): boolean {
  const { key } = useProfile().role;
  return key === 'owner' || key === 'admin';
}

export function refreshSavedViews(): Promise<void> {
  return queryClient.invalidateQueries(trpc.savedViews.list.pathFilter());
}
