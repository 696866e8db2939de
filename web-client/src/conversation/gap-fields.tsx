import { useLingui } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import type { Ref } from 'react';

interface Props {
  gaps: readonly string[];
  fill(name: string, value: string): void;
  ref: Ref<HTMLDivElement>;
}

/** Asks for what a quick reply has no value for. */
export function GapFields({ gaps, fill, ref }: Props) {
  const { t } = useLingui();
  return (
    <div
      ref={ref}
      className="thread-gaps"
      role="group"
      aria-label={t`Missing in the text`}
      hidden={gaps.length === 0}
    >
      {gaps.map((name) => (
        <TextInput
          key={name}
          size="xs"
          label={name}
          autoComplete="off"
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            event.preventDefault();
            fill(name, event.currentTarget.value.trim());
          }}
          onBlur={({ currentTarget: { value } }) => fill(name, value.trim())}
        />
      ))}
    </div>
  );
}
