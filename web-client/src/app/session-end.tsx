import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Modal, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { profileQuery, refreshProfile, useProfile } from '../account/use-profile.ts';
import { lastUse } from './session.ts';

/** So long before the end it is told, in milliseconds. */
const notice = 2 * 60_000;
/** How often one looks; a timer over days would not hold. */
const pause = 10_000;

type Ending = 'idle' | 'old' | null;

/** Says two minutes before the session ends; a session that is merely unused goes on at a click. */
export function SessionEnd() {
  const { t } = useLingui();
  const ending = useEnding();
  const [dismissed, setDismissed] = useState(false);
  useEffect(() => {
    if (ending === null) setDismissed(false);
  }, [ending]);
  return (
    <Modal
      opened={ending !== null && !dismissed}
      onClose={() => setDismissed(true)}
      title={t`Your session ends in two minutes`}
      centered
    >
      <Text mb="md">
        {ending === 'idle'
          ? t`Nothing was done here for a long time.`
          : t`You will be asked to sign in again. What you are writing is kept.`}
      </Text>
      <Group justify="flex-end">
        {ending === 'idle' ? (
          <Button onClick={() => void refreshProfile()}>
            <Trans>Stay signed in</Trans>
          </Button>
        ) : (
          <Button onClick={() => setDismissed(true)}>
            <Trans>Go on</Trans>
          </Button>
        )}
      </Group>
    </Modal>
  );
}

/** Whether the end is near, by the clock of this page alone: a wrong one makes no difference. */
function useEnding(): Ending {
  const { session } = useProfile();
  const client = useQueryClient();
  const [ending, setEnding] = useState<Ending>(null);
  const idle = session?.idle_seconds ?? null;
  const left = session?.ends_in ?? null;
  useEffect(() => {
    if (idle === null || left === null) return undefined;
    const told = client.getQueryState(profileQuery().queryKey)?.dataUpdatedAt ?? Date.now();
    const look = () => {
      const now = Date.now();
      if (now > told + left * 1000 - notice) setEnding('old');
      else setEnding(now > lastUse() + idle * 1000 - notice ? 'idle' : null);
    };
    look();
    const timer = setInterval(look, pause);
    return () => clearInterval(timer);
  }, [client, idle, left]);
  return ending;
}
