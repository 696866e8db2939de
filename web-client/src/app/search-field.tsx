import { TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useEffect, useRef } from 'react';

/** So long after the last key the search begins, in milliseconds. */
const pause = 200;

interface Props {
  label: string;
  value: string | undefined;
  onChange(value: string | undefined): void;
}

/** A field that searches while one types. It keeps its own text, so that nothing typed is lost to a slow answer. */
export function SearchField({ label, value, onChange }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // From outside: the filters were cleared, or the browser went back.
    const input = field.current;
    if (input && document.activeElement !== input) input.value = value ?? '';
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <TextInput
      ref={field}
      type="search"
      aria-label={label}
      placeholder={label}
      autoComplete="off"
      leftSection={<Search size={16} aria-hidden />}
      defaultValue={value ?? ''}
      maxLength={191}
      onChange={(event) => {
        const text = event.currentTarget.value.trim();
        clearTimeout(timer.current);
        timer.current = setTimeout(() => onChange(text === '' ? undefined : text), pause);
      }}
    />
  );
}
