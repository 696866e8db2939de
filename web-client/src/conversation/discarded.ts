import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from './stored.ts';

/** Messages that failed and that the agent does not want to see any more; this browser remembers them. */
const known = new Map<string, readonly string[]>();
const listeners = new Set<() => void>();

const nameOf = (conversation: string) => `discarded.${conversation}`;

function of(conversation: string): readonly string[] {
  const all = known.get(conversation) ?? readStored<string[]>(nameOf(conversation)) ?? [];
  known.set(conversation, all);
  return all;
}

/** Takes a message that failed out of sight. */
export function discardFailed(conversation: string, message: string): void {
  const all = [...of(conversation), message];
  known.set(conversation, all);
  writeStored(nameOf(conversation), all);
  for (const listener of listeners) listener();
}

export function useDiscarded(conversation: string): readonly string[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => of(conversation),
  );
}
