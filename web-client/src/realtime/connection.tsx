import { useEffect, useRef, useState } from 'react';
import type { Mode } from '../app/mode.ts';
import { heardCount, socket, useConnectionState } from './socket.ts';

/** So long after coming back what was missed is counted, and so long it is shown, in milliseconds. */
const counting = 1_000;
const showing = 6_000;

/** The dot that says whether what is on the screen is current. */
export function Connection({ mode }: { mode: Mode }) {
  useEffect(() => {
    socket(mode);
  }, [mode]);
  const state = useConnectionState();
  const back = useBack(state === 'live');
  return (
    <span className="shell-connection" role="status">
      <span className="shell-dot" data-state={state} aria-hidden="true" />
      {state === 'live' && back === null && <span className="visually-hidden">Live</span>}
      {state === 'live' && back === 0 && <span>Back online</span>}
      {state === 'live' && back === 1 && <span>Back online, 1 update loaded</span>}
      {state === 'live' && back !== null && back > 1 && <span>{`Back online, ${back} updates loaded`}</span>}
      {state === 'reconnecting' && <span>Reconnecting… updates paused</span>}
      {state === 'offline' && <span>You are offline. Drafts are kept.</span>}
    </span>
  );
}

/** After a break that was shown: how many updates came with the connection. Null when there is nothing to say. */
function useBack(live: boolean): number | null {
  const [count, setCount] = useState<number | null>(null);
  const broken = useRef(false);
  useEffect(() => {
    if (!live) {
      broken.current = true;
      setCount(null);
      return undefined;
    }
    if (!broken.current) return undefined;
    broken.current = false;
    const before = heardCount();
    const count = setTimeout(() => setCount(heardCount() - before), counting);
    const end = setTimeout(() => setCount(null), counting + showing);
    return () => {
      clearTimeout(count);
      clearTimeout(end);
    };
  }, [live]);
  return count;
}
