import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Status } from '../app/status.tsx';
import { signatureFits } from './signature.ts';

/** Recomputes the signature of an attempt from a secret that is pasted. */
export function VerifySignature({ header, body }: { header: string; body: string }) {
  const [secret, setSecret] = useState('');
  const [outcome, setOutcome] = useState<boolean | null>(null);
  if (!isSecureContext)
    return (
      <Text size="sm" c="dimmed">
        Browsers compute signatures only over https or on this machine.
      </Text>
    );
  return (
    <Stack gap="xs">
      <Text size="sm" ff="monospace" className="wrapped">
        {header}
      </Text>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <PasswordInput
          label="Signing secret"
          description="It stays in this browser."
          placeholder="whsec_…"
          autoComplete="off"
          flex={1}
          value={secret}
          onChange={(event) => {
            setSecret(event.currentTarget.value);
            setOutcome(null);
          }}
        />
        <Button
          variant="default"
          disabled={secret === ''}
          onClick={() => void signatureFits(header, body, secret.trim()).then(setOutcome)}
        >
          Verify
        </Button>
      </Group>
      <div role="status">
        {outcome === true && <Status tone="good">The signature fits</Status>}
        {outcome === false && <Status tone="bad">The signature does not fit this secret</Status>}
      </div>
    </Stack>
  );
}
