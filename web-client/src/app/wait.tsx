import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';

/** How long something is not possible yet; nothing once it is. */
export function Wait({ seconds }: { seconds: number }) {
  if (seconds === 0) return null;
  return (
    <Text size="sm" aria-live="off">
      <Trans>Possible again in {inWords(seconds)}.</Trans>
    </Text>
  );
}

function inWords(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
