import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Status } from '../app/status.tsx';
import { signatureFits } from './signature.ts';

/** Recomputes the signature of an attempt from a secret that is pasted. */
export function VerifySignature({ header, body }: { header: string; body: string }) {
  const { t } = useLingui();
  const [secret, setSecret] = useState('');
  const [outcome, setOutcome] = useState<boolean | null>(null);
  if (!isSecureContext)
    return (
      <Text size="sm" c="dimmed">
        <Trans>Browsers compute signatures only over https or on this machine.</Trans>
      </Text>
    );
  return (
    <Stack gap="xs">
      <Text size="sm" ff="monospace" className="wrapped">
        {header}
      </Text>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <PasswordInput
          label={t`Signing secret`}
          description={t`It stays in this browser.`}
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
          <Trans>Verify</Trans>
        </Button>
      </Group>
      <div role="status">
        {outcome === true && (
          <Status tone="good">
            <Trans>The signature fits</Trans>
          </Status>
        )}
        {outcome === false && (
          <Status tone="bad">
            <Trans>The signature does not fit this secret</Trans>
          </Status>
        )}
      </div>
    </Stack>
  );
}
