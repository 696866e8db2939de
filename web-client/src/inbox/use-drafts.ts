import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { trpc } from '../app/trpc.ts';

/** The beginning of what the agent has written and not sent, by conversation. Each change is told live. */
export function useDrafts(): ReadonlyMap<string, string> {
  const { t } = useLingui();
  const { data } = useQuery(trpc.drafts.list.queryOptions({}));
  return useMemo(
    () =>
      new Map(
        (data?.data ?? [])
          // The one saved last is said last, so that it stays.
          .toReversed()
          .map(({ conversation, text }) => [conversation, text.slice(0, 160) || t`Attachment`]),
      ),
    [data],
  );
}
