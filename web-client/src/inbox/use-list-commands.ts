import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import type { BulkAction, Conversation } from '../../../schema/conversations.ts';
import { type Command, useCommands } from '../keyboard/commands.ts';
import { placeOf } from './place.ts';
import { type Question, rowActions } from './row-actions.ts';
import { type Bulk, useBulk } from './use-bulk.ts';
import type { Selection } from './use-selection.ts';

interface Context {
  rows: readonly Conversation[];
  /** Whether there are rows that are not loaded yet. */
  hasMore: boolean;
  active: string | null;
  selection: Selection;
  me: { name: string; email: string };
  /** Makes a row the active one without opening it. */
  activate(id: string): void;
  open(id: string): void;
  ask(asked: { question: Question; row: Conversation }): void;
  /** A row was dealt with and left behind in one step. */
  onPass(id: string): void;
}

/** A row is opened when the keys have rested on it for so long, in milliseconds. */
const rest = 120;

/** What a key does when rows are selected. */
const ofMany: Readonly<Record<string, BulkAction>> = { E: 'close', O: 'open', U: 'unread' };

/** The keys of the list, which are in the palette and in the list of shortcuts too. */
export function useListCommands(context: Context): {
  move(step: 1 | -1): void;
  enter(): void;
  bulk: Bulk;
} {
  const { t } = useLingui();
  const { rows, hasMore, active, selection, me, activate, open, ask, onPass } = context;
  const bulk = useBulk(selection);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const at = placeOf(rows, active);
  const row = rows[at];
  const many = selection.ids.size > 0;

  // A key that comes to the end of what is loaded counts once more of it is there.
  const due = useRef(false);
  const move = (step: 1 | -1) => {
    const next = rows[at === -1 ? 0 : at + step];
    due.current = !next && step === 1 && hasMore;
    if (!next) return;
    activate(next.id);
    keepFocus();
    clearTimeout(timer.current);
    if (isWide()) timer.current = setTimeout(() => open(next.id), rest);
  };
  useEffect(() => {
    if (due.current) move(1);
    // Only when rows come, which the next key need not wait for.
  }, [rows.length]);
  const extend = (step: 1 | -1) => {
    selection.add([row, rows[at + step]].flatMap((one) => one?.id ?? []));
    move(step);
  };
  const enter = () => {
    if (!row) return;
    clearTimeout(timer.current);
    open(row.id);
    setTimeout(() => focusTimeline(row.id));
  };
  const press = (keys: string) => {
    if (many) {
      const action = ofMany[keys];
      if (action) bulk.start({ action });
      else if (keys === 'I') bulk.start({ action: 'assign', assignee: me.email });
      else if (keys === 'A') bulk.ask('assign');
      else if (keys === 'T') bulk.ask('tag');
      else if (keys === 'M') bulk.ask('mute');
      return;
    }
    if (!row) return;
    rowActions(row, { me, ask, open })
      .find((action) => action.keys === keys)
      ?.run();
    keepFocus();
  };

  const step = (id: string, title: string, keys: string[], run: () => void): Command => ({
    id,
    title,
    group: 'Conversations',
    keys,
    repeats: true,
    run,
  });
  const act = (keys: string, title: string, alone = false): Command => ({
    id: `conversation ${keys}`,
    title,
    group: 'This conversation',
    keys: [keys],
    reason: reasonFor(alone),
    run: () => press(keys),
  });
  const reasonFor = (alone: boolean) => {
    if (alone && many) return t`For one conversation at a time`;
    return row || many ? undefined : t`Choose a conversation first`;
  };
  useCommands([
    step('next', t`Next conversation`, ['J'], () => move(1)),
    step('previous', t`Previous conversation`, ['K'], () => move(-1)),
    { id: 'enter', title: t`Open and read`, group: 'Conversations', keys: ['Enter'] },
    {
      id: 'select',
      title: t`Select`,
      group: 'Conversations',
      keys: ['X'],
      reason: reasonFor(false),
      run: () => row && selection.toggle(row.id),
    },
    step('extend', t`Select to the next`, ['Shift+J'], () => extend(1)),
    step('extend-back', t`Select to the previous`, ['Shift+K'], () => extend(-1)),
    { id: 'all', title: t`Select all that is loaded (in the list)`, group: 'Conversations', keys: ['Mod+A'] },
    {
      id: 'clear',
      title: t`Clear the selection`,
      group: 'Conversations',
      keys: ['Escape'],
      run: selection.clear,
    },
    {
      id: 'search',
      title: t`Search in the inbox`,
      group: 'Conversations',
      keys: ['/'],
      run: () => document.querySelector<HTMLElement>('#inbox-search')?.focus(),
    },
    act('E', t`Close`),
    {
      ...act('Shift+E', t`Close and go to the next`, true),
      run: () => {
        press('E');
        if (row) onPass(row.id);
        move(1);
      },
    },
    act('O', t`Reopen`),
    act('U', t`Mark as unread`),
    act('I', t`Assign to me`),
    act('A', t`Assign to…`),
    act('V', t`Transfer…`, true),
    act('T', t`Tag…`),
    act('M', t`Mute, or unmute`),
    act('P', t`Pin, or unpin`, true),
    act('F', t`Follow, or unfollow`, true),
    act('Y', t`Archive, or take out of the archive`, true),
  ]);
  return { move, enter, bulk };
}

/** List and conversation stand beside each other. */
function isWide(): boolean {
  return matchMedia('(min-width: 62em)').matches;
}

/** Screen readers follow the list when nothing else has the focus. */
function keepFocus(): void {
  if (document.activeElement === null || document.activeElement === document.body)
    document.querySelector<HTMLElement>('#conversations')?.focus({ preventScroll: true });
}

/** How long a conversation that is being loaded is waited for, in milliseconds. */
const patience = 10_000;

/** The timeline gets the focus once it is drawn, unless it was taken elsewhere by then. */
function focusTimeline(id: string): void {
  const pane = document.querySelector<HTMLElement>('.inbox-pane');
  pane?.focus();
  const end = performance.now() + patience;
  const look = () => {
    const { activeElement } = document;
    if (activeElement !== pane && activeElement !== document.body) return;
    const log = document.querySelector<HTMLElement>(`[role="log"][data-conversation="${id}"]`);
    if (log) log.focus();
    else if (performance.now() < end) requestAnimationFrame(look);
  };
  look();
}
