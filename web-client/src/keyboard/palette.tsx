import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { ChoiceDialog } from './choice-dialog.tsx';
import { currentCommands } from './commands.ts';

/** Every command by name. */
export function Palette({ onClose }: { onClose(): void }) {
  const { t } = useLingui();
  const [commands] = useState(() =>
    currentCommands().filter(({ run, id }) => run !== undefined && id !== 'palette'),
  );
  return (
    <ChoiceDialog
      title={t`Commands`}
      placeholder={t`What do you want to do?`}
      onClose={onClose}
      choices={commands.map(({ id, title, group, keys, reason }) => ({
        id,
        label: group === 'Go to' ? t`Go to ${title}` : title,
        hint: reason ?? group,
        keys: keys?.[0],
        disabled: reason !== undefined,
      }))}
      onChoose={(id) => commands.find((command) => command.id === id)?.run?.()}
    />
  );
}
