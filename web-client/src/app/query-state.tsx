import { useLingui } from '@lingui/react/macro';
import { Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { failureOf } from './failure.ts';
import { FailureAlert } from './failure-alert.tsx';
import { useCalmLoading } from './use-calm-loading.ts';

/**
 * What a query has, with its failure above it. While there is nothing yet: nothing for a moment, then lines of the
 * right height, for long enough to be no blink.
 */
export function QueryState<T>({
  query,
  rows = 4,
  children,
}: {
  query: UseQueryResult<T, unknown>;
  rows?: number;
  children: (data: T) => ReactNode;
}) {
  const { data, error, refetch } = query;
  const missing = data === undefined && error === null;
  const lines = useCalmLoading(missing);
  return (
    <Stack gap="md">
      {error !== null && <FailureAlert failure={failureOf(error)} retry={() => void refetch()} />}
      {missing || lines ? <Lines count={rows} shown={lines} /> : data !== undefined && children(data)}
    </Stack>
  );
}

/** Lines of the right height; only their room until they are shown (`useCalmLoading`). */
export function Lines({ count, shown }: { count: number; shown: boolean }) {
  const { t } = useLingui();
  return (
    <Stack gap="xs" role="status" aria-busy="true" aria-label={t`Loading`} mih={count * 44}>
      {shown && Array.from({ length: count }, (_, n) => <Skeleton key={n} h={36} />)}
    </Stack>
  );
}
