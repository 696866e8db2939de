import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';

/** Pages are also asked when nothing else leads to it, in milliseconds. */
const pause = 10 * 60_000;

/**
 * Tells when the server has another build of the dashboard than this page. It never reloads by itself: somebody may be
 * writing.
 * @param current whether the page is connected: whoever comes back may find a server that was replaced
 */
export function useNewVersion(current: boolean): void {
  useEffect(() => {
    if (!current) return undefined;
    const look = () => void compare();
    look();
    const timer = setInterval(look, pause);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [current]);
}

async function compare(): Promise<void> {
  const own = document.querySelector<HTMLMetaElement>('meta[name=build]')?.content ?? '';
  // Served from its sources it has no build.
  if (!/^[0-9a-f]{12}$/.test(own) || document.visibilityState === 'hidden') return;
  const answer = await fetch('/version').catch(() => null);
  if (!answer?.ok) return;
  const { dashboard } = (await answer.json()) as { dashboard?: string | null };
  if (dashboard == null || dashboard === own) return;
  notifications.show({
    // One, however often it is found.
    id: 'new-version',
    autoClose: false,
    message: (
      <Group gap="sm" justify="space-between">
        <Text size="sm">
          <Trans>There is a new version. Drafts are kept.</Trans>
        </Text>
        <Button size="compact-sm" onClick={() => location.reload()}>
          <Trans>Reload</Trans>
        </Button>
      </Group>
    ),
  });
}
