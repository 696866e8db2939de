import { useEffect, useRef, useState } from 'react';

/** Readers hear of a burst once in so long, not of each of its parts; in milliseconds. */
const pause = 3_000;

/**
 * What a live region says: the first is said at once, then no more than one every three seconds, where what came
 * meanwhile is put together.
 * @param gather makes one text of all that came since the last was said
 */
export function useCalm<One>(
  gather: (waiting: readonly One[]) => string,
): [said: string, say: (one: One) => void] {
  const [said, setSaid] = useState('');
  const waiting = useRef<One[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const put = useRef(gather);
  useEffect(() => {
    put.current = gather;
  });
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  const [say] = useState(() => {
    const tell = () => {
      timer.current = undefined;
      const all = waiting.current.splice(0);
      if (all.length === 0) return;
      setSaid(put.current(all));
      timer.current = setTimeout(tell, pause);
    };
    return (one: One) => {
      waiting.current.push(one);
      if (timer.current === undefined) tell();
    };
  });
  return [said, say];
}
