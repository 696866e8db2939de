import { t } from '@lingui/core/macro';
import { useEffect, useLayoutEffect, useRef } from 'react';

/** Something that can be done from the keyboard, the palette and the list of shortcuts: one table for all three. */
export interface Command {
  id: string;
  title: string;
  group: 'General' | 'Go to' | 'Conversations' | 'This conversation' | 'Reply' | 'Help';
  /** As `keyName` spells them; `G I` is one after the other. */
  keys?: readonly string[];
  /** Why it can't be done now: it is shown, and does nothing. */
  reason?: string | undefined;
  /** Also while somebody types. */
  everywhere?: true;
  /** A key that is held down does it again and again. */
  repeats?: true;
  /** Absent: what has the focus sees to its keys itself, and the table only tells of them. */
  run?(): void;
}

type Source = { current: readonly Command[] };

const sources = new Set<Source>();

/** Offers commands as long as the component is there. */
export function useCommands(commands: readonly Command[]): void {
  const source = useRef(commands);
  useLayoutEffect(() => {
    source.current = commands;
  });
  useEffect(() => {
    sources.add(source);
    return () => void sources.delete(source);
  }, []);
}

/** All commands of what is on the screen. */
export function currentCommands(): Command[] {
  return [...sources].flatMap(({ current }) => current);
}

/** The heading of a group of commands. */
export function groupText(group: Command['group']): string {
  return {
    General: t`General`,
    'Go to': t`Go to`,
    Conversations: t`Conversations`,
    'This conversation': t`This conversation`,
    Reply: t`Reply`,
    Help: t`Help`,
  }[group];
}
