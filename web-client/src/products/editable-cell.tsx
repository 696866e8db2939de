import { useLingui } from '@lingui/react/macro';
import { TextInput, UnstyledButton } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { failureOf } from '../app/failure.ts';

interface Props {
  label: string;
  shown: string;
  /** The value as it stands in the field. */
  text: string;
  editable: boolean;
  save(text: string): Promise<unknown>;
}

/** A value that becomes a field where it stands: Enter saves, Esc leaves it as it was. */
export function EditableCell({ label, shown, text, editable, save }: Props) {
  const { t } = useLingui();
  const [editing, setEditing] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const left = useRef(false);
  // Of the value that the field began with: a colleague may change the one behind it.
  const saving = useRef(save);
  useEffect(() => {
    // Back to where one was, but only from the field.
    if (!editing && left.current) button.current?.focus();
    left.current = editing;
  }, [editing]);
  if (!editable) return shown;
  const close = () => {
    setError(null);
    setEditing(false);
  };
  const go = (typed: string) => {
    if (typed.trim() === text) {
      close();
      return;
    }
    setPending(true);
    saving
      .current(typed)
      .then(close, (failure: unknown) => setError(failureOf(failure).message))
      .finally(() => setPending(false));
  };
  if (!editing)
    return (
      <UnstyledButton
        ref={button}
        className="editable-value"
        aria-label={t`${label}: ${shown}. Change it`}
        onClick={() => {
          saving.current = save;
          setEditing(true);
        }}
      >
        {shown}
      </UnstyledButton>
    );
  return (
    <TextInput
      className="editable-field"
      display="inline-block"
      size="xs"
      aria-label={label}
      inputMode="decimal"
      autoComplete="off"
      autoFocus
      defaultValue={text}
      readOnly={pending}
      error={error}
      onFocus={(event) => event.currentTarget.select()}
      onBlur={(event) => {
        if (event.currentTarget.value.trim() === text) close();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
        if (event.key === 'Enter') go(event.currentTarget.value);
      }}
    />
  );
}
