import { useLingui } from '@lingui/react/macro';
import { Modal, Text, TextInput } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { KeyHint } from './key-hint.tsx';
import { useFocusBack } from './use-focus-back.ts';
import './keyboard.css';

export interface Choice {
  id: string;
  label: string;
  /** Beside the label, also searched. */
  hint?: string | undefined;
  keys?: string | undefined;
  /** Before the label. */
  mark?: ReactNode;
  disabled?: boolean;
}

interface Props {
  title: string;
  placeholder: string;
  choices: readonly Choice[];
  /** What stands there when there is nothing to choose from. */
  empty?: string;
  onChoose(id: string): void;
  onClose(): void;
}

/** Asks for one of many: type a part of it, then Enter. */
export function ChoiceDialog({ title, placeholder, choices, empty, onChoose, onClose }: Props) {
  const { t } = useLingui();
  useFocusBack();
  const list = useId();
  const options = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const words = folded(text).split(/\s+/);
  const shown = choices.filter(({ label, hint = '' }) => {
    const all = folded(`${label} ${hint}`);
    return words.every((word) => all.includes(word));
  });
  const at = Math.min(active, shown.length - 1);
  useEffect(() => {
    options.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at, text]);

  const choose = (choice: Choice | undefined) => {
    if (!choice || choice.disabled) return;
    // The dialog is gone before, so that what is chosen may take the focus.
    onClose();
    onChoose(choice.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setActive((at + step + shown.length) % Math.max(1, shown.length));
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      choose(shown[at]);
    }
  };
  return (
    <Modal opened onClose={onClose} title={title} padding="md" yOffset="10vh">
      <TextInput
        aria-label={title}
        placeholder={placeholder}
        data-autofocus
        role="combobox"
        aria-expanded
        aria-controls={list}
        aria-activedescendant={shown[at] && `${list}-${shown[at].id}`}
        aria-autocomplete="list"
        autoComplete="off"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={options} id={list} role="listbox" aria-label={title} className="choices" tabIndex={-1}>
        {shown.map((choice, n) => (
          <div
            key={choice.id}
            id={`${list}-${choice.id}`}
            role="option"
            aria-selected={n === at}
            aria-disabled={choice.disabled || undefined}
            className="choice"
            onPointerMove={() => setActive(n)}
            onClick={() => choose(choice)}
          >
            {choice.mark}
            <span className="choice-text">
              {choice.label}
              {choice.hint !== undefined && <span className="choice-hint">{choice.hint}</span>}
            </span>
            {choice.keys !== undefined && <KeyHint keys={choice.keys} />}
          </div>
        ))}
      </div>
      <Text size="sm" c="dimmed" role="status" mt={shown.length === 0 ? 'sm' : 0}>
        {shown.length === 0 && (choices.length === 0 ? (empty ?? t`Nothing here.`) : t`Nothing matches.`)}
      </Text>
    </Modal>
  );
}

/** Without accents and capitals. */
function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
