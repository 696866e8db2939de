import { useLingui } from '@lingui/react/macro';
import { Skeleton } from '@mantine/core';
import { useEffect, useState } from 'react';

/** The calendar before it has anything, after a moment. */
export function GridSkeleton({ columns }: { columns: number }) {
  const { t } = useLingui();
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 300);
    return () => clearTimeout(timer);
  }, []);
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
