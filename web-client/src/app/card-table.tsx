import type { ReactNode } from 'react';
import './table.css';

interface Column<T> {
  label: string;
  cell(row: T): ReactNode;
  /** The column that names the row, and the one with its buttons, are not labelled on narrow screens. */
  bare?: true;
}

interface Props<T> {
  /** What the rows are, for screen readers. */
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf(row: T): string;
}

/** A short table that becomes a list of cards where there is no room; for long lists use a virtual one. */
export function CardTable<T>({ caption, columns, rows, keyOf }: Props<T>) {
  return (
    <table className="cards">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ label }) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ label, cell, bare }) => (
              <td key={label} data-label={bare ? undefined : label}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
