import { useSyncExternalStore } from 'react';

let ended = false;
let usedAt = Date.now();
const listeners = new Set<() => void>();

/** A call was refused because nobody is signed in any more. */
export function sessionEnded(): void {
  set(true);
}

/** Somebody signed in again. */
export function sessionResumed(): void {
  set(false);
}

/** Whether the session has ended while the page was open. */
export function useSessionEnded(): boolean {
  return useSyncExternalStore(subscribe, () => ended);
}

/** The server has answered a call, which counts as use of the session. */
export function sessionUsed(): void {
  usedAt = Date.now();
}

/** When the session was last used from this page. */
export function lastUse(): number {
  return usedAt;
}

/** To the sign-in page, and back here afterwards. */
export function goToSignIn(): void {
  const here = `${location.pathname}${location.search}${location.hash}`;
  location.assign(here === '/' ? '/sign-in' : `/sign-in?return=${encodeURIComponent(here)}`);
}

function set(value: boolean): void {
  if (ended === value) return;
  ended = value;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
