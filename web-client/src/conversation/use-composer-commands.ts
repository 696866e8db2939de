import { useLingui } from '@lingui/react/macro';
import { useCommands } from '../keyboard/commands.ts';

interface Context {
  focus(mode: 'reply' | 'note'): void;
  /** Null while nothing can be attached. */
  attach: (() => void) | null;
}

/** The keys of writing. Those that the field hears itself are told of. */
export function useComposerCommands({ focus, attach }: Context): void {
  const { t } = useLingui();
  useCommands([
    { id: 'reply', title: t`Write a reply`, group: 'Reply', keys: ['R'], run: () => focus('reply') },
    { id: 'note', title: t`Write a private note`, group: 'Reply', keys: ['N'], run: () => focus('note') },
    {
      id: 'attach',
      title: t`Attach a file`,
      group: 'Reply',
      keys: ['Mod+Shift+A'],
      everywhere: true,
      reason: attach === null ? t`Nothing can be attached now` : undefined,
      run: () => attach?.(),
    },
    { id: 'send', title: t`Send`, group: 'Reply', keys: ['Mod+Enter'] },
    { id: 'send-close', title: t`Send and close`, group: 'Reply', keys: ['Mod+Shift+Enter'] },
    { id: 'quick-reply', title: t`Put in a quick reply (while writing)`, group: 'Reply', keys: ['/'] },
    { id: 'mention', title: t`Mention a colleague (in a note)`, group: 'Reply', keys: ['@'] },
    {
      id: 'edit-held',
      title: t`Change the last reply that waits (field empty)`,
      group: 'Reply',
      keys: ['ArrowUp'],
    },
  ]);
}
