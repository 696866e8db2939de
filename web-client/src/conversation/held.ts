import { send } from '../app/send.ts';
import { refused } from '../app/toast.ts';
import { trpc } from '../app/trpc.ts';
import type { MessageEntry } from './message-entry.tsx';
import type { ComposerHandle } from './thread-context.ts';
import { loadedEntries, mergeEntries } from './thread-data.ts';

/** Cancels a message that waits and gives its words back to be changed. @returns whether it could be */
export async function takeBack(
  conversation: string,
  entry: MessageEntry,
  composer: ComposerHandle | null,
): Promise<boolean> {
  try {
    await send(trpc.messages.cancel.mutationOptions(), { message: entry.id });
  } catch (error) {
    refused(error);
    return false;
  }
  mergeEntries(conversation, [{ ...entry, status: 'cancelled' }]);
  composer?.restore(entry.text ?? '', entry.media);
  return true;
}

/** The newest message of an agent that waits. @param email whose */
export function lastHeld(conversation: string, email: string): MessageEntry | undefined {
  return loadedEntries(conversation).findLast(
    (entry) => entry.kind === 'message' && entry.status === 'held' && entry.author?.email === email,
  ) as MessageEntry | undefined;
}
