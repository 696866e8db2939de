import { useLingui } from '@lingui/react/macro';
import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useRef } from 'react';

interface Props {
  name: string;
  label: string;
  value: string;
  onChange(value: string): void;
  variables: readonly string[];
  error?: string | undefined;
}

/** A text that may name variables; the buttons put one where the caret is. */
export function VariableText({ name, label, value, onChange, variables, error }: Props) {
  const { t } = useLingui();
  const field = useRef<HTMLTextAreaElement>(null);
  const insert = (variable: string) => {
    const area = field.current;
    if (!area) return;
    const { selectionStart: from, selectionEnd: to } = area;
    const inserted = `{{${variable}}}`;
    onChange(value.slice(0, from) + inserted + value.slice(to));
    requestAnimationFrame(() => {
      area.focus();
      area.setSelectionRange(from + inserted.length, from + inserted.length);
    });
  };
  return (
    <Stack gap={6}>
      <Textarea
        ref={field}
        name={name}
        label={label}
        description={t`After a bar stands what is said when there is no value: ${'{{contact.first_name|there}}'}.`}
        autosize
        minRows={4}
        maxRows={14}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
      />
      <Group gap={6} role="group" aria-label={t`Put in a variable`}>
        {variables.map((variable) => (
          <Button key={variable} variant="default" size="compact-sm" onClick={() => insert(variable)}>
            {variable}
          </Button>
        ))}
      </Group>
    </Stack>
  );
}
