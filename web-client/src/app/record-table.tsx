import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Checkbox, Stack } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { Empty } from './empty.tsx';
import { failureOf } from './failure.ts';
import { FailureAlert } from './failure-alert.tsx';
import { Lines } from './query-state.tsx';
import { RecordHeading, type RecordSort, SelectAll } from './record-heading.tsx';
import { useRowKeys } from './row-keys.ts';
import { useTableView } from './table-view.ts';
import { useCalmLoading } from './use-calm-loading.ts';
import { ViewMenu } from './view-menu.tsx';
import { number as figures } from './words.ts';
import './record-kit.css';
import './record-table.css';
import './table.css';

interface RecordPage<T> {
  data: readonly T[];
  meta: { next_cursor: string | null; has_more: boolean };
}

export type RecordQuery<T> = UseInfiniteQueryResult<InfiniteData<RecordPage<T>>, unknown>;

export interface RecordColumn<T> {
  /** By which a choice of columns is remembered; the label unless given. */
  id?: string;
  label: string;
  /** Null where there is nothing: a dash in a table, left out of a card. */
  cell(row: T): ReactNode;
  /** The column that names the row, and the one with its buttons, are not labelled on narrow screens. */
  bare?: true;
  /** Figures stand at the end of their column. */
  number?: true;
  /** Hidden until somebody asks for it. */
  optional?: true;
  sort?: RecordSort;
}

interface Props<T> {
  /** Of the list, for the columns and the density that somebody chose; without one there is no choice. */
  name?: string;
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
  /** Records that came meanwhile. */
  news?: { count: number; show(): void };
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
  const { t } = useLingui();
  const { query, onClear, empty, caption } = props;
  const rows = rowsOf(query);
  const missing = query.data === undefined && query.error === null;
  const lines = useCalmLoading(missing);
  return (
    <Stack gap="md">
      {query.error !== null && (
        <FailureAlert failure={failureOf(query.error)} retry={() => void query.refetch()} />
      )}
      {(missing || lines) && <Lines count={8} shown={lines} />}
      {query.data !== undefined && !lines && (
        <div className="record-frame" aria-busy={query.isFetching}>
          {query.isFetching && !query.isFetchingNextPage && <div className="record-busy" />}
          {rows.length > 0 ? (
            <Rows {...props} rows={rows} />
          ) : onClear ? (
            <Empty
              title={t`Nothing fits these filters`}
              action={
                <Button variant="default" onClick={onClear}>
                  <Trans>Clear filters</Trans>
                </Button>
              }
            >
              <Trans>There are no {caption.toLowerCase()} like that.</Trans>
            </Empty>
          ) : (
            empty
          )}
        </div>
      )}
    </Stack>
  );
}

const idOf = ({ id, label }: { id?: string; label: string }) => id ?? label;

function Rows<T>({ rows, ...props }: Props<T> & { rows: readonly T[] }) {
  const { t } = useLingui();
  const { name, caption, query, keyOf, sort, selection, news } = props;
  const optional = props.columns.filter((column) => column.optional).map(idOf);
  const [view, setView] = useTableView(name, optional);
  // What names a row, and its buttons, always stay.
  const columns = props.columns.filter((column) => column.bare || !view.hidden.has(idOf(column)));
  const choices = props.columns.filter(({ bare }) => !bare);
  const keys = useRowKeys();
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
  const shown = t`${figures.format(rows.length)} shown`;
  return (
    <>
      <div className={name === undefined ? 'visually-hidden' : 'record-bar'}>
        <span role="status">{hasNextPage ? t`${shown}, there are more` : shown}</span>
        {news !== undefined && news.count > 0 && (
          <Button size="compact-md" variant="light" radius="xl" onClick={news.show}>
            {t`${figures.format(news.count)} new`}
          </Button>
        )}
        {name !== undefined && (
          <ViewMenu
            columns={choices.map((column) => ({ id: idOf(column), label: column.label }))}
            view={view}
            onChange={setView}
          />
        )}
      </div>
      <table className="cards records" data-compact={view.compact || undefined} ref={table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {selection && <SelectAll {...selection} ids={rows.map(keyOf)} />}
            {columns.map((column) => (
              <RecordHeading
                key={idOf(column)}
                label={column.label}
                number={column.number}
                sort={column.sort}
                sorting={sort}
              />
            ))}
          </tr>
        </thead>
        <tbody {...keys.body}>
          {rows.map((row, index) => {
            const id = keyOf(row);
            const selected = selection?.selected.has(id) ?? false;
            return (
              <tr
                key={id}
                data-selected={selected || undefined}
                tabIndex={index === Math.min(keys.current, rows.length - 1) ? 0 : -1}
              >
                {selection && (
                  <td className="record-check">
                    <Checkbox
                      aria-label={t`Select ${selection.nameOf(row)}`}
                      checked={selected}
                      onChange={() => selection.onChange(toggled(selection.selected, id))}
                    />
                  </td>
                )}
                {columns.map((column) => (
                  <td
                    key={idOf(column)}
                    data-label={column.bare ? undefined : column.label}
                    data-number={column.number}
                  >
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      {hasNextPage && (
        <Button mt="md" variant="default" fullWidth loading={query.isFetchingNextPage} onClick={more}>
          <Trans>Load more</Trans>
        </Button>
      )}
    </>
  );
}

function toggled(selected: ReadonlySet<string>, id: string): Set<string> {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next;
}
