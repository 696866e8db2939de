import { Trans } from '@lingui/react/macro';
import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { type Failure, failureOf } from '../app/failure.ts';
import { FailureAlert } from '../app/failure-alert.tsx';
import { signInWithPasskey, wasTurnedAway } from './passkeys.ts';

/** Signs in with what the device or a key keeps, without e-mail and password. */
export function PasskeyButton({ onSignedIn }: { onSignedIn(): void }) {
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const go = () => {
    setPending(true);
    setFailure(null);
    signInWithPasskey()
      .then(onSignedIn, (error: unknown) => {
        if (!wasTurnedAway(error)) setFailure(failureOf(error));
      })
      .finally(() => setPending(false));
  };
  return (
    <Stack gap="sm">
      {failure && <FailureAlert failure={failure} />}
      <Button variant="default" fullWidth loading={pending} onClick={go}>
        <Trans>Sign in with a passkey</Trans>
      </Button>
    </Stack>
  );
}
