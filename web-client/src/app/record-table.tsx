import { Button, Checkbox, Stack, UnstyledButton } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Empty } from './empty.tsx';
import { failureOf } from './failure.ts';
import { FailureAlert } from './failure-alert.tsx';
import { Lines } from './query-state.tsx';
import { counted } from './words.ts';
import './record-kit.css';
import './record-table.css';
import './table.css';

interface RecordPage<T> {
  data: readonly T[];
  meta: { next_cursor: string | null; has_more: boolean };
}

export type RecordQuery<T> = UseInfiniteQueryResult<InfiniteData<RecordPage<T>>, unknown>;

export interface RecordColumn<T> {
  label: string;
  /** Null where there is nothing: a dash in a table, left out of a card. */
  cell(row: T): ReactNode;
  /** The column that names the row, and the one with its buttons, are not labelled on narrow screens. */
  bare?: true;
  /** Figures stand at the end of their column. */
  number?: true;
  /** The word that sorts by it, and the direction that the server then gives. */
  sort?: { by: string; direction: 'ascending' | 'descending' };
}

interface Props<T> {
  /** What the rows are, in the plural, for screen readers. */
  caption: string;
  query: RecordQuery<T>;
  columns: readonly RecordColumn<T>[];
  keyOf(row: T): string;
  sort?: { value: string; onChange(by: string): void };
  selection?: {
    selected: ReadonlySet<string>;
    onChange(selected: ReadonlySet<string>): void;
    nameOf(row: T): string;
  };
  /** While a filter is set: what takes it off. */
  onClear?: (() => void) | undefined;
  /** What is shown when there is nothing at all yet. */
  empty: ReactNode;
}

/** Next page of a list by cursor, for `infiniteQueryOptions`. */
export const byCursor = {
  getNextPageParam: ({ meta }: RecordPage<unknown>) => meta.next_cursor ?? undefined,
};

/** All rows that are loaded. */
export function rowsOf<T>({ data }: RecordQuery<T>): T[] {
  return data?.pages.flatMap((page) => page.data) ?? [];
}

/** A long list: read page by page on request, a list of cards where there is no room. */
export function RecordTable<T>(props: Props<T>) {
  const { query, onClear, empty, caption } = props;
  const rows = rowsOf(query);
  const first = query.data === undefined;
  return (
    <Stack gap="md">
      {query.error !== null && (
        <FailureAlert failure={failureOf(query.error)} retry={() => void query.refetch()} />
      )}
      {first && query.error === null && <Lines count={8} />}
      {!first && (
        <div className="record-frame" aria-busy={query.isFetching}>
          {query.isFetching && !query.isFetchingNextPage && <div className="record-busy" />}
          {rows.length > 0 ? (
            <Rows {...props} rows={rows} />
          ) : onClear ? (
            <Empty
              title="Nothing fits these filters"
              action={
                <Button variant="default" onClick={onClear}>
                  Clear filters
                </Button>
              }
            >
              There are no {caption.toLowerCase()} like that.
            </Empty>
          ) : (
            empty
          )}
        </div>
      )}
    </Stack>
  );
}

function Rows<T>({
  caption,
  query,
  columns,
  keyOf,
  sort,
  selection,
  rows,
}: Props<T> & { rows: readonly T[] }) {
  const table = useRef<HTMLTableElement>(null);
  const wanted = useRef<number | null>(null);
  const { hasNextPage } = query;
  useEffect(() => {
    const at = wanted.current;
    if (at === null || rows.length <= at) return;
    wanted.current = null;
    // The button goes with the last page; whoever pressed it goes on at the first new row.
    if (!hasNextPage) table.current?.tBodies[0]?.rows[at]?.querySelector<HTMLElement>('a, button')?.focus();
  }, [rows.length, hasNextPage]);
  const more = () => {
    wanted.current = rows.length;
    void query.fetchNextPage();
  };
  return (
    <>
      <table className="cards records" ref={table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {selection && <SelectAll {...selection} ids={rows.map(keyOf)} />}
            {columns.map((column) => (
              <Heading key={column.label} {...column} sorting={sort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const id = keyOf(row);
            const selected = selection?.selected.has(id) ?? false;
            return (
              <tr key={id} data-selected={selected || undefined}>
                {selection && (
                  <td className="record-check">
                    <Checkbox
                      aria-label={`Select ${selection.nameOf(row)}`}
                      checked={selected}
                      onChange={() => selection.onChange(toggled(selection.selected, id))}
                    />
                  </td>
                )}
                {columns.map(({ label, cell, bare, number }) => (
                  <td key={label} data-label={bare ? undefined : label} data-number={number}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className="visually-hidden" role="status">
        {counted(rows.length, 'row')} shown
      </p>
      {hasNextPage && (
        <Button mt="md" variant="default" fullWidth loading={query.isFetchingNextPage} onClick={more}>
          Load more
        </Button>
      )}
    </>
  );
}

function Heading<T>({ label, sort, number, sorting }: RecordColumn<T> & { sorting: Props<T>['sort'] }) {
  const sorted = sort !== undefined && sorting?.value === sort.by;
  const Arrow = sort?.direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <th scope="col" aria-sort={sorted ? sort.direction : undefined} data-number={number}>
      {sort && sorting ? (
        <UnstyledButton className="record-sort" onClick={() => sorting.onChange(sort.by)}>
          {label}
          {sorted && <Arrow size={14} aria-hidden />}
        </UnstyledButton>
      ) : (
        label
      )}
    </th>
  );
}

interface SelectAllProps {
  ids: readonly string[];
  selected: ReadonlySet<string>;
  onChange(selected: ReadonlySet<string>): void;
}

function SelectAll({ ids, selected, onChange }: SelectAllProps) {
  const all = ids.every((id) => selected.has(id));
  return (
    <th scope="col" className="record-check">
      <Checkbox
        aria-label="Select all that are loaded"
        checked={all}
        indeterminate={!all && ids.some((id) => selected.has(id))}
        onChange={() => onChange(new Set(all ? [] : ids))}
      />
    </th>
  );
}

function toggled(selected: ReadonlySet<string>, id: string): Set<string> {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next;
}
