import { useLingui } from '@lingui/react/macro';
import { Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { failureOf } from './failure.ts';
import { FailureAlert } from './failure-alert.tsx';

/**
 * What a query has, with its failure above it. While there is nothing yet: nothing for a moment, then lines of the
 * right height.
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
  return (
    <Stack gap="md">
      {error !== null && <FailureAlert failure={failureOf(error)} retry={() => void refetch()} />}
      {data !== undefined ? children(data) : error === null && <Lines count={rows} />}
    </Stack>
  );
}

/** Lines of the right height, after a moment. */
export function Lines({ count }: { count: number }) {
  const { t } = useLingui();
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 300);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Stack gap="xs" aria-busy="true" aria-label={t`Loading`} mih={count * 44}>
      {shown && Array.from({ length: count }, (_, n) => <Skeleton key={n} h={36} />)}
    </Stack>
  );
}
