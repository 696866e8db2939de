import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';

/** Text to take along: selected by a click, copied by the button. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const { t } = useLingui();
  const field = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState<'copied' | 'denied' | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setOutcome('copied');
    } catch {
      // Without https or permission there is no clipboard; the text is selected instead.
      field.current?.select();
      setOutcome('denied');
    }
  };
  return (
    <div>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          ref={field}
          label={label}
          value={value}
          readOnly
          flex={1}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button variant="default" onClick={() => void copy()}>
          <Trans>Copy</Trans>
        </Button>
      </Group>
      <Text size="sm" mt={4} mih="1.5em" role="status">
        {outcome === 'copied' && t`Copied.`}
        {outcome === 'denied' && t`The browser refused. The text is selected: copy it with the keyboard.`}
      </Text>
    </div>
  );
}
