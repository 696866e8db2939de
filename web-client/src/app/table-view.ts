import { useState } from 'react';

/** How somebody wants to see a list, kept in this browser. */
export interface TableView {
  hidden: ReadonlySet<string>;
  compact: boolean;
}

interface Kept {
  hidden: string[];
  compact: boolean;
}

const keyOf = (name: string) => `parlour.table.${name}`;

/**
 * The remembered view of a list.
 * @param name of the list, the same in every language; undefined for one that is always whole
 * @param optional columns that are hidden until somebody asks for them
 */
export function useTableView(
  name: string | undefined,
  optional: readonly string[],
): [TableView, (view: TableView) => void] {
  const [view, setView] = useState<TableView>(
    () => read(name) ?? { hidden: new Set(optional), compact: false },
  );
  return [
    view,
    (next) => {
      setView(next);
      if (name === undefined) return;
      const kept: Kept = { hidden: [...next.hidden], compact: next.compact };
      localStorage.setItem(keyOf(name), JSON.stringify(kept));
    },
  ];
}

function read(name: string | undefined): TableView | null {
  const text = name === undefined ? null : localStorage.getItem(keyOf(name));
  if (text === null) return null;
  try {
    const { hidden, compact } = JSON.parse(text) as Kept;
    return { hidden: new Set(hidden), compact };
  } catch {
    return null;
  }
}
