import { useEffect, useRef, useState } from 'react';
import type { Failure } from './failure.ts';

/** Seconds that are left to wait; `over` is called once none is. */
export function useCountdown(failure: Failure, over?: () => void): number {
  const [left, setLeft] = useState(failure.retryAfter ?? 0);
  const again = useRef(over);
  useEffect(() => {
    again.current = over;
  });
  useEffect(() => {
    const { retryAfter } = failure;
    setLeft(retryAfter ?? 0);
    if (retryAfter === null) return undefined;
    const end = Date.now() + retryAfter * 1000;
    const timer = setInterval(() => {
      const seconds = Math.max(0, Math.ceil((end - Date.now()) / 1000));
      setLeft(seconds);
      if (seconds > 0) return;
      clearInterval(timer);
      again.current?.();
    }, 1000);
    return () => clearInterval(timer);
  }, [failure]);
  return left;
}
