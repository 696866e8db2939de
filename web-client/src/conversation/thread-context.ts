import { createContext, use } from 'react';
import type { Conversation } from '../../../schema/conversations.ts';
import type { MessageMedia, ReplySnippet } from '../../../schema/entries.ts';

/** What other parts of the pane ask of the composer. */
export interface ComposerHandle {
  focus(mode?: 'reply' | 'note'): void;
  /** Puts a text where the cursor is. */
  insert(text: string): void;
  /** Gives back what was taken out of the thread. */
  restore(text: string, media: MessageMedia | null): void;
  quote(message: ReplySnippet): void;
}

interface ThreadContext {
  conversation: Conversation;
  composer: { current: ComposerHandle | null };
  /** Shows a message of the thread, also one that is not loaded yet. */
  jump(id: string, focus?: 'keep focus'): void;
  /** Shows the first entry of a day such as `2026-11-28`, or the next one. */
  jumpToDay(day: string): void;
  /** Shows a picture of the thread as large as the screen, by the id of its file. */
  showImage(id: string): void;
  /** Asks how a text is to be kept as a quick reply. */
  saveAsReply(text: string): void;
  /** Asks to whom the conversation is to be handed on. */
  transfer(): void;
  toEnd(): void;
}

const context = createContext<ThreadContext | null>(null);

export const ThreadProvider = context.Provider;

export function useThreadContext(): ThreadContext {
  const value = use(context);
  if (!value) throw new Error('There is no conversation around this.');
  return value;
}
