import { type FocusEvent, type KeyboardEvent, useState } from 'react';

type Rows = HTMLTableSectionElement;

/**
 * Rows of a table by keyboard: one of them can be reached by Tab, arrows, Home and End go on from there, Enter opens
 * the record, Space ticks it. What stands in a row keeps its own keys.
 */
export function useRowKeys() {
  const [current, setCurrent] = useState(0);
  const onFocus = (event: FocusEvent<Rows>) => {
    const row = event.target.closest('tr');
    if (row) setCurrent(row.sectionRowIndex);
  };
  const onKeyDown = (event: KeyboardEvent<Rows>) => {
    const row = event.target;
    if (!(row instanceof HTMLTableRowElement) || event.ctrlKey || event.metaKey || event.altKey) return;
    const { rows } = event.currentTarget;
    const to = targetOf(event.key, row.sectionRowIndex, rows.length);
    if (to !== null) rows[to]?.focus();
    else if (event.key === 'Enter') row.querySelector<HTMLElement>('.record-name')?.click();
    else if (event.key === ' ') row.querySelector<HTMLElement>('.record-check input')?.click();
    else return;
    event.preventDefault();
  };
  return { current, body: { onFocus, onKeyDown } };
}

function targetOf(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return Math.min(at + 1, count - 1);
    case 'ArrowUp':
      return Math.max(at - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
