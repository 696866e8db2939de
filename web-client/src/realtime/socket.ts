import { type Client, createClient } from 'graphql-ws';
import { useSyncExternalStore } from 'react';
import type { Mode } from '../app/mode.ts';

export type ConnectionState = 'live' | 'reconnecting' | 'offline';

/** A break shorter than this is not shown, in milliseconds. */
const patience = 3_000;
const longestPause = 30_000;

let client: Client | null = null;
let clientMode: Mode | null = null;
let state: ConnectionState = 'live';
let timer: ReturnType<typeof setTimeout> | undefined;
let awake: (() => void) | null = null;
let heard = 0;
const listeners = new Set<() => void>();

/**
 * The one socket of this tab: GraphQL subscriptions over graphql-ws, with the session cookie. It comes back by
 * itself, for ever; whoever subscribes passes the last event it has seen when it subscribes again.
 */
export function socket(mode: Mode): Client {
  if (client && clientMode === mode) return client;
  void client?.dispose();
  clientMode = mode;
  client = createClient({
    url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
    lazy: false,
    connectionParams: { 'X-Service-Mode': mode },
    keepAlive: 15_000,
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
    retryWait: (tries) =>
      pause(Math.min(longestPause, 1_000 * 2 ** Math.min(tries, 5)) * (0.5 + Math.random() / 2)),
    onNonLazyError: () => {},
    on: {
      connected: () => settle('live'),
      message: ({ type }) => {
        if (type === 'next') heard += 1;
      },
      closed: () => settle(navigator.onLine ? 'reconnecting' : 'offline'),
    },
  });
  return client;
}

/** How the socket is; short breaks do not count. */
export function useConnectionState(): ConnectionState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}

/** How many changes this tab has heard of; the number only grows. */
export function heardCount(): number {
  return heard;
}

function settle(next: ConnectionState): void {
  clearTimeout(timer);
  if (next === 'live') return show(next);
  timer = setTimeout(() => show(next), state === 'live' ? patience : 0);
}

function show(next: ConnectionState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** Waits before the next try, but no longer than until there is a reason to try now. */
function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(waiting);
      awake = null;
      resolve();
    };
    const waiting = setTimeout(done, milliseconds);
    awake = done;
  });
}

function wake(): void {
  awake?.();
}

addEventListener('online', wake);
addEventListener('focus', wake);
document.addEventListener('visibilitychange', wake);
addEventListener('offline', () => settle('offline'));
