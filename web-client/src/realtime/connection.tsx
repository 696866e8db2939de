import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import type { Mode } from '../app/mode.ts';
import { heardCount, socket, useConnectionState } from './socket.ts';

/** So long after coming back what was missed is counted, and so long it is shown, in milliseconds. */
const counting = 1_000;
const showing = 6_000;

/** The dot that says whether what is on the screen is current. */
export function Connection({ mode }: { mode: Mode }) {
  const { t } = useLingui();
  useEffect(() => {
    socket(mode);
  }, [mode]);
  const state = useConnectionState();
  const back = useBack(state === 'live');
  return (
    <span className="shell-connection" role="status">
      <span className="shell-dot" data-state={state} aria-hidden="true" />
      {state === 'live' && back === null && (
        <span className="visually-hidden">
          <Trans>Live</Trans>
        </span>
      )}
      {state === 'live' && back === 0 && (
        <span>
          <Trans>Back online</Trans>
        </span>
      )}
      {state === 'live' && back === 1 && (
        <span>
          <Trans>Back online, 1 update loaded</Trans>
        </span>
      )}
      {state === 'live' && back !== null && back > 1 && <span>{t`Back online, ${back} updates loaded`}</span>}
      {state === 'reconnecting' && (
        <span>
          <Trans>Reconnecting… updates paused</Trans>
        </span>
      )}
      {state === 'offline' && (
        <span>
          <Trans>You are offline. Drafts are kept.</Trans>
        </span>
      )}
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
