import { NativeSelect } from '@mantine/core';

interface Props<T extends string> {
  label: string;
  /** What stands for no filter. */
  all: string;
  options: readonly { value: T; label: string }[];
  value: T | undefined;
  onChange(value: T | undefined): void;
}

/** One filter of a list: a choice that the system draws, on phones as well. */
export function FilterSelect<T extends string>({ label, all, options, value, onChange }: Props<T>) {
  return (
    <NativeSelect
      aria-label={label}
      value={value ?? ''}
      data={[{ value: '', label: all }, ...options]}
      onChange={(event) => {
        const chosen = event.currentTarget.value;
        onChange(options.find((option) => option.value === chosen)?.value);
      }}
    />
  );
}
