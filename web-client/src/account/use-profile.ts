import { useSuspenseQuery } from '@tanstack/react-query';
import type { Scope } from '../../../schema/scopes.ts';
import { type inferOutput, queryClient, trpc } from '../app/trpc.ts';

export type Profile = inferOutput<typeof trpc.account.profile>['data'];

/** The agent who is signed in. It is loaded before the first page is drawn. */
export function useProfile(): Profile {
  return useSuspenseQuery(profileQuery()).data.data;
}

export function profileQuery() {
  return trpc.account.profile.queryOptions({}, { staleTime: 60_000 });
}

/** Whether the role of the agent has a scope. */
export function useCan(): (scope: Scope) => boolean {
  const { scopes } = useProfile();
  return (scope) => scopes.includes(scope);
}

/** Draws again whatever shows the profile. */
export function refreshProfile(): Promise<void> {
  return queryClient.invalidateQueries(trpc.account.profile.queryFilter());
}
