import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Failure } from './failure.ts';
import { RequestReference } from './request-reference.tsx';

/** What went wrong, in words, with what support needs to find it. Old content stays where it is. */
export function FailureAlert({ failure, retry }: { failure: Failure; retry?: () => void }) {
  const wait = useCountdown(failure);
  return (
    <Alert role="alert" color="red" variant="light" title={failure.message}>
      {(wait > 0 || failure.requestId !== null || retry) && (
        <Group gap="sm">
          <RequestReference failure={failure} />
          {wait > 0 && (
            <Text size="sm">
              <Trans>Possible again in {inWords(wait)}.</Trans>
            </Text>
          )}
          {retry && wait === 0 && (
            <Button size="compact-sm" variant="default" onClick={retry}>
              <Trans>Try again</Trans>
            </Button>
          )}
        </Group>
      )}
    </Alert>
  );
}

/** Seconds that are left to wait. */
function useCountdown({ retryAfter }: Failure): number {
  const [left, setLeft] = useState(retryAfter ?? 0);
  useEffect(() => {
    setLeft(retryAfter ?? 0);
    if (retryAfter === null) return undefined;
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000);
    return () => clearInterval(timer);
  }, [retryAfter]);
  return left;
}

function inWords(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
