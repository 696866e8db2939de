import { refused, told } from '../app/toast.ts';
import type { MessageEntry } from './message-entry.tsx';
import type { ComposerHandle } from './thread-context.ts';

/** Puts a text on the clipboard. @param done what is said then */
export function copy(text: string, done: string): void {
  navigator.clipboard.writeText(text).then(() => told(done), refused);
}

/** Answers a message in particular. */
export function quote(composer: ComposerHandle | null, { id, text, author }: MessageEntry): void {
  composer?.quote({
    id,
    snippet: (text ?? '').slice(0, 140),
    author: author ?? { type: 'system', name: null, email: null },
  });
}
