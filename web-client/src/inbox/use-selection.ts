import { useState } from 'react';
import type { Conversation } from '../../../schema/conversations.ts';

export interface Selection {
  ids: ReadonlySet<string>;
  rows: readonly Conversation[];
  /** @param range also all between the one chosen last and this one */
  toggle(id: string, range?: boolean): void;
  add(ids: readonly string[]): void;
  all(): void;
  clear(): void;
}

const none: ReadonlySet<string> = new Set();

/** Which rows are chosen for what is done to many. Another list has another selection. */
export function useSelection(rows: readonly Conversation[], list: string): Selection {
  const [state, setState] = useState({ list, ids: none, last: '' });
  const ids = state.list === list ? state.ids : none;
  const put = (next: Iterable<string>, last = state.last) => setState({ list, ids: new Set(next), last });
  const toggle = (id: string, range = false) => {
    const [from, to] = [state.last, id].map((one) => rows.findIndex((row) => row.id === one));
    if (range && from !== undefined && to !== undefined && from !== -1) {
      const between = rows.slice(Math.min(from, to), Math.max(from, to) + 1);
      return put([...ids, ...between.map((row) => row.id)], id);
    }
    put(ids.has(id) ? [...ids].filter((one) => one !== id) : [...ids, id], id);
  };
  return {
    ids,
    rows: ids.size === 0 ? [] : rows.filter(({ id }) => ids.has(id)),
    toggle,
    add: (more) => put([...ids, ...more], more.at(-1)),
    all: () => put(rows.map(({ id }) => id)),
    clear: () => put([]),
  };
}
