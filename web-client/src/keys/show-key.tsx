import { Button, Checkbox, Code, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { CopyField } from '../app/copy-field.tsx';

/** The whole key, this once. It can't be left by accident. */
export function ShowKey({ value, onClose }: { value: string; onClose(): void }) {
  const [stored, setStored] = useState(false);
  useBlocker({
    // eslint-disable-next-line no-alert -- the browser may be on its way back, where no dialog of ours would stay
    shouldBlockFn: () => !stored && !confirm('The key is shown only here. Leave without having stored it?'),
    enableBeforeUnload: () => !stored,
  });
  return (
    <Stack gap="md">
      <Text>This is the only time it is shown.</Text>
      <CopyField label="Key" value={value} />
      <Text size="sm">
        It has a vertical bar in it, at which a double click may stop: use the button. In a shell, quote it.
      </Text>
      <Text size="sm">Try it:</Text>
      <Code
        block
        className="wrapped"
      >{`curl ${location.origin}/api/v1/me -H 'Authorization: Bearer ${value}'`}</Code>
      <Checkbox
        label="I stored it"
        checked={stored}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      <Button disabled={!stored} onClick={onClose}>
        Done
      </Button>
    </Stack>
  );
}
