import { useEffect, useRef, useState } from 'react';

/** Nothing is shown before so many milliseconds, and what is shown stays for so many. */
const before = 300;
const least = 500;

/**
 * Whether to draw what stands in for content: not for a short wait, and never for a blink.
 * @param loading there is nothing yet
 */
export function useCalmLoading(loading: boolean): boolean {
  const [shown, setShown] = useState(false);
  const since = useRef(0);
  useEffect(() => {
    if (loading === shown) return undefined;
    const change = () => {
      since.current = performance.now();
      setShown(loading);
    };
    const wait = loading ? before : Math.max(0, since.current + least - performance.now());
    const timer = setTimeout(change, wait);
    return () => clearTimeout(timer);
  }, [loading, shown]);
  return shown;
}
