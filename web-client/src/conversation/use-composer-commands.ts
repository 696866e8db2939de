import { useCommands } from '../keyboard/commands.ts';

interface Context {
  focus(mode: 'reply' | 'note'): void;
  /** Null while nothing can be attached. */
  attach: (() => void) | null;
}

/** The keys of writing. Those that the field hears itself are told of. */
export function useComposerCommands({ focus, attach }: Context): void {
  useCommands([
    { id: 'reply', title: 'Write a reply', group: 'Reply', keys: ['R'], run: () => focus('reply') },
    { id: 'note', title: 'Write a private note', group: 'Reply', keys: ['N'], run: () => focus('note') },
    {
      id: 'attach',
      title: 'Attach a file',
      group: 'Reply',
      keys: ['Mod+Shift+A'],
      everywhere: true,
      reason: attach === null ? 'Nothing can be attached now' : undefined,
      run: () => attach?.(),
    },
    { id: 'send', title: 'Send', group: 'Reply', keys: ['Mod+Enter'] },
    { id: 'send-close', title: 'Send and close', group: 'Reply', keys: ['Mod+Shift+Enter'] },
    { id: 'quick-reply', title: 'Put in a quick reply (while writing)', group: 'Reply', keys: ['/'] },
    { id: 'mention', title: 'Mention a colleague (in a note)', group: 'Reply', keys: ['@'] },
    {
      id: 'edit-held',
      title: 'Change the last reply that waits (field empty)',
      group: 'Reply',
      keys: ['ArrowUp'],
    },
  ]);
}
