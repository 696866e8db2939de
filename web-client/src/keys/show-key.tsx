import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Checkbox, Code, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { CopyField } from '../app/copy-field.tsx';

/** The whole key, this once. It can't be left by accident. */
export function ShowKey({ value, onClose }: { value: string; onClose(): void }) {
  const { t } = useLingui();
  const [stored, setStored] = useState(false);
  useBlocker({
    // eslint-disable-next-line no-alert -- the browser may be on its way back, where no dialog of ours would stay
    shouldBlockFn: () => !stored && !confirm(t`The key is shown only here. Leave without having stored it?`),
    enableBeforeUnload: () => !stored,
  });
  return (
    <Stack gap="md">
      <Text>
        <Trans>This is the only time it is shown.</Trans>
      </Text>
      <CopyField label={t`Key`} value={value} />
      <Text size="sm">
        <Trans>
          It has a vertical bar in it, at which a double click may stop: use the button. In a shell, quote it.
        </Trans>
      </Text>
      <Text size="sm">
        <Trans>Try it:</Trans>
      </Text>
      <Code
        block
        className="wrapped"
      >{`curl ${location.origin}/api/v1/me -H 'Authorization: Bearer ${value}'`}</Code>
      <Checkbox
        label={t`I stored it`}
        checked={stored}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      <Button disabled={!stored} onClick={onClose}>
        <Trans>Done</Trans>
      </Button>
    </Stack>
  );
}
