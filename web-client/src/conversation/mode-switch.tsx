import { useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import type { Mode } from './draft.ts';

/** Reply or note. A switch that measures itself would have the whole page laid out with each conversation. */
export function ModeSwitch({ mode, onChange }: { mode: Mode; onChange(mode: Mode): void }) {
  const { t } = useLingui();
  const name = useId();
  const choices: [Mode, string][] = [
    ['reply', t`Reply`],
    ['note', t`Private note`],
  ];
  return (
    <div className="mode-switch" role="radiogroup" aria-label={t`What to write`}>
      {choices.map(([value, label]) => (
        <label key={value}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            checked={value === mode}
            onChange={() => onChange(value)}
          />
          {label}
        </label>
      ))}
    </div>
  );
}
