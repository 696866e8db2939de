import { readStored, writeStored } from './stored.ts';

/** Whether Enter sends; else it begins a new line, and Ctrl or ⌘ with Enter sends. This browser remembers it. */
export function enterSends(): boolean {
  return readStored<boolean>('enter-sends') ?? true;
}

export function setEnterSends(on: boolean): void {
  writeStored('enter-sends', on ? null : false);
}

/** Whether a conversation is closed once its reply is on its way. This browser remembers it. */
export function sendCloses(): boolean {
  return readStored<boolean>('send-closes') ?? false;
}

export function setSendCloses(on: boolean): void {
  writeStored('send-closes', on ? true : null);
}
