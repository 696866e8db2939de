import { useLingui } from '@lingui/react/macro';
import { Skeleton } from '@mantine/core';

/** The calendar before it has anything; only its room until it is shown (`useCalmLoading`). */
export function GridSkeleton({ columns, shown }: { columns: number; shown: boolean }) {
  const { t } = useLingui();
  return (
    <div className="grid-skeleton" aria-busy="true" aria-label={t`Loading`} role="status">
      {shown &&
        Array.from({ length: columns }, (_, n) => (
          <div key={n}>
            <Skeleton h={32} />
            <Skeleton h={64} mt={(n % 3) * 56 + 24} />
            <Skeleton h={96} mt={((n + 1) % 3) * 48 + 24} />
          </div>
        ))}
    </div>
  );
}
