import { useRef, useState } from 'react';
import type { Row } from '../realtime/apply-change.ts';

const nobody: ReadonlySet<string> = new Set();

interface Arranged {
  rows: readonly Row[];
  /** Rows that are new or would stand higher, were they not held back. */
  waiting: number;
}

/**
 * The rows in an order that was before: what came above it waits, what was loaded below it is added.
 * @param left rows that no longer belong to the list: those that were not shown are not waited for
 */
export function arrange(order: readonly string[], rows: readonly Row[], left = nobody): Arranged {
  const place = new Map(rows.map(({ id }, n) => [id, n]));
  const held = new Set(order);
  const places = order.map((id) => place.get(id)).filter((n) => n !== undefined);
  const lowest = places.reduce((most, n) => Math.max(most, n), -1);
  let waiting = rows.slice(0, lowest + 1).filter(({ id }) => !held.has(id) && !left.has(id)).length;
  let deepest = -1;
  for (const n of places) {
    if (n < deepest) waiting++;
    deepest = Math.max(deepest, n);
  }
  const shown = places.flatMap((n) => rows[n] ?? []);
  return { rows: [...shown, ...rows.slice(lowest + 1).filter(({ id }) => !held.has(id))], waiting };
}

interface Held {
  list: string;
  applied: number;
  held: boolean;
  rows: readonly Row[];
  left: ReadonlySet<string>;
  arranged: Arranged;
}

/**
 * Keeps rows where they are as long as somebody is about to click one.
 * @param list another list starts anew
 */
export function useCalmOrder(
  rows: readonly Row[],
  left: ReadonlySet<string>,
  held: boolean,
  list: string,
): Arranged & { apply(): void } {
  const [applied, setApplied] = useState(0);
  const kept = useRef<Held | undefined>(undefined);
  const apply = () => setApplied((count) => count + 1);
  const before = kept.current;
  const same = before?.list === list && before.applied === applied ? before : undefined;
  // A key that goes to the next row draws again too, and thousands of rows would be put in order for it.
  if (same?.rows === rows && same.left === left && same.held === held) return { ...same.arranged, apply };
  // What was loaded below belongs to the order from now on.
  const order = held && same ? same.arranged.rows.map(({ id }) => id) : [];
  const arranged = order.length === 0 ? { rows, waiting: 0 } : arrange(order, rows, left);
  kept.current = { list, applied, held, rows, left, arranged };
  return { ...arranged, apply };
}
