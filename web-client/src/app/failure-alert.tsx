import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Text } from '@mantine/core';
import type { Failure } from './failure.ts';
import { RequestReference } from './request-reference.tsx';
import { useCountdown } from './use-countdown.ts';
import { Wait } from './wait.tsx';

/**
 * What went wrong, in words, with what support needs to find it. Old content stays where it is. What the server asked
 * to wait for is tried again by itself once the time is over.
 */
export function FailureAlert({ failure, retry }: { failure: Failure; retry?: () => void }) {
  const wait = useCountdown(failure, retry);
  return (
    <Alert role="alert" color="red" variant="light" title={failure.message}>
      {failure.code === 'forbidden' && (
        <Text size="sm" mb={4}>
          <Trans>The Owner and the admins of your company decide what your role allows.</Trans>
        </Text>
      )}
      {(wait > 0 || failure.requestId !== null || retry) && (
        <Group gap="sm">
          <RequestReference failure={failure} />
          <Wait seconds={wait} />
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
