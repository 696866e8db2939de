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
    since.current = performance.now();
  }, [shown]);
  useEffect(() => {
    if (loading === shown) return undefined;
    const wait = loading ? before : Math.max(0, since.current + least - performance.now());
    const timer = setTimeout(() => setShown(loading), wait);
    return () => clearTimeout(timer);
  }, [loading, shown]);
  return shown;
}
