import { useLingui } from '@lingui/react/macro';
import type { Conversation } from '../../../schema/conversations.ts';
import { useCommands } from '../keyboard/commands.ts';
import { act, plainActions, take } from './actions.ts';

interface Context {
  conversation: Conversation;
  /** There is no list beside it that has these keys. */
  alone: boolean;
  focusAi(): void;
  search(): void;
  transfer(): void;
}

/** The keys of one conversation. */
export function usePaneCommands({ conversation, alone, focusAi, search, transfer }: Context): void {
  const { t } = useLingui();
  const { id, allowed_actions: allowed } = conversation;
  const group = 'This conversation' as const;
  const when = (action: (typeof allowed)[number]) =>
    allowed.includes(action) ? undefined : t`Not as the conversation stands now`;
  const own = [
    { id: 'ai', title: t`To the AI suggestions`, group, keys: ['S'], run: focusAi },
    { id: 'find', title: t`Search in this conversation`, group, run: search },
  ];
  const single = [
    {
      id: 'close',
      title: t`Close`,
      group,
      keys: ['E'],
      reason: when('close'),
      run: () => void act(id, plainActions.close(id)),
    },
    {
      id: 'reopen',
      title: t`Reopen`,
      group,
      keys: ['O'],
      reason: when('reopen'),
      run: () => void act(id, plainActions.reopen(id)),
    },
    {
      id: 'unread',
      title: t`Mark as unread`,
      group,
      keys: ['U'],
      reason: when('unread'),
      run: () => void act(id, plainActions.unread(id)),
    },
    {
      id: 'take',
      title: t`Assign to me`,
      group,
      keys: ['I'],
      reason: when('assign'),
      run: () => void take(conversation),
    },
    { id: 'transfer', title: t`Transfer…`, group, keys: ['V'], reason: when('transfer'), run: transfer },
    { id: 'find-here', title: t`Search in this conversation`, group, keys: ['/'], run: search },
  ];
  useCommands(alone ? [...own.filter((command) => command.id !== 'find'), ...single] : own);
}
