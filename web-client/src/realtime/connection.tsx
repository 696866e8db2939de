import { useEffect } from 'react';
import type { Mode } from '../app/mode.ts';
import { socket, useConnectionState } from './socket.ts';

const words = {
  live: 'Live',
  reconnecting: 'Reconnecting… updates paused',
  offline: 'You are offline. Drafts are kept.',
} as const;

/** The dot that says whether what is on the screen is current. */
export function Connection({ mode }: { mode: Mode }) {
  useEffect(() => {
    socket(mode);
  }, [mode]);
  const state = useConnectionState();
  return (
    <span className="shell-connection" role="status">
      <span className="shell-dot" data-state={state} aria-hidden="true" />
      <span className={state === 'live' ? 'visually-hidden' : undefined}>{words[state]}</span>
    </span>
  );
}
