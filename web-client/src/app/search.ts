import { useNavigate } from '@tanstack/react-router';

/** What stands in an address behind `?`, before anybody has looked at it. */
type Raw = Record<string, unknown>;

/** A text; the router reads `?q=12` as a number. */
export function textIn(search: Raw, name: string): string | undefined {
  const value = search[name];
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** One of the words that are allowed. */
export function wordIn<T extends string>(search: Raw, name: string, words: readonly T[]): T | undefined {
  return words.find((word) => word === search[name]);
}

export function flagIn(search: Raw, name: string): boolean | undefined {
  const value = search[name];
  return typeof value === 'boolean' ? value : undefined;
}

/**
 * Changes parameters of the address; the others stay, undefined ones go. `push` makes a step that the browser's
 * back button takes back, as for a record that is opened.
 */
export function useSetSearch<T extends object>(): (patch: Partial<T>, push?: 'push') => void {
  const navigate = useNavigate();
  return (patch, push) =>
    void navigate({
      to: '.',
      search: ((before: object) => ({ ...before, ...patch })) as never,
      replace: push === undefined,
      resetScroll: false,
    });
}
