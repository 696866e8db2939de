import { useEffect, useState } from 'react';

/** Counts minutes, so that relative times are drawn again. */
export function useMinute(): number {
  const [minute, setMinute] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setMinute((count) => count + 1), 60_000);
    return () => clearInterval(timer);
  }, []);
  return minute;
}
