import { useQuery } from '@tanstack/react-query';
import type { Conversation } from '../../../schema/conversations.ts';
import { queryClient, trpc } from '../app/trpc.ts';

const showing = (conversation: string) => trpc.conversations.show.queryOptions({ conversation });

export function useConversation(conversation: string) {
  return useQuery(showing(conversation));
}

/** The conversation as an action answered; an answer that comes late does not undo a newer one. */
export function acceptConversation(next: Conversation): void {
  queryClient.setQueryData(showing(next.id).queryKey, (known) =>
    known && known.data.version > next.version
      ? known
      : { data: { followers_count: known?.data.followers_count, ...next } },
  );
}

/** Loads it again where it is shown. */
export function refreshConversation(conversation: string): void {
  void queryClient.invalidateQueries(trpc.conversations.show.queryFilter({ conversation }));
}
