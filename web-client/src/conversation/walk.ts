import type { KeyboardEvent } from 'react';

/** The arrows go from entry to entry; Enter opens the menu of one. */
export function walk(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget, key } = event;
  if (!(target instanceof HTMLElement)) return;
  const entry = target === currentTarget ? null : target;
  if (entry && entry.tagName !== 'ARTICLE') return;
  if (key === 'Enter') {
    const button = entry?.querySelector<HTMLElement>('[data-entry-menu]');
    if (!button) return;
    event.preventDefault();
    // Once this key is dealt with: the menu takes the focus.
    setTimeout(() => button.click());
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step === undefined) return;
  const all = [...currentTarget.querySelectorAll('article')];
  const from = all.findIndex((one) => one === entry);
  const next = from === -1 ? all.at(-1) : all[from + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
