import { useLingui } from '@lingui/react/macro';
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';

export interface Choice {
  value: string;
  label: string;
}

interface Props {
  /** The field of a form that it is; its text is the record's id. */
  name?: string;
  label: string;
  /** The label is for screen readers alone, as in a row of filters. */
  bare?: boolean | undefined;
  description?: string;
  placeholder?: string;
  /** Records that fit what is typed. Called at every draw: a query hook. */
  useChoices(q: string): { choices: readonly Choice[]; pending: boolean };
  value: Choice | null;
  onChange(value: Choice | null): void;
  error?: string | undefined;
  autoFocus?: boolean;
}

/** Chooses one record out of very many, by searching on the server. */
export function RecordPicker({ label, bare, useChoices, value, onChange, autoFocus, ...props }: Props) {
  const { t } = useLingui();
  const [text, setText] = useState(value?.label ?? '');
  const [q] = useDebouncedValue(text === value?.label ? '' : text.trim(), 200);
  const { choices, pending } = useChoices(q);
  const data =
    value && !choices.some((choice) => choice.value === value.value) ? [value, ...choices] : choices;
  return (
    <Select
      {...props}
      {...(bare ? { 'aria-label': label } : { label })}
      data={[...data]}
      // The server has chosen already.
      filter={({ options }) => options}
      searchable
      clearable={value !== null}
      clearButtonProps={{ 'aria-label': t`No ${label.toLowerCase()}` }}
      searchValue={text}
      onSearchChange={setText}
      value={value?.value ?? null}
      onChange={(id) => onChange(data.find((choice) => choice.value === id) ?? null)}
      nothingFoundMessage={pending ? t`Searching…` : t`Nothing found`}
      data-autofocus={autoFocus || undefined}
    />
  );
}
