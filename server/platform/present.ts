import type { Page } from './pagination.ts';

/** A page of rows as the public list body. */
export function presentPage<Row, Public>(present: (row: Row) => Public) {
  return ({ rows, nextCursor, hasMore }: Page<Row>) => ({
    data: rows.map(present),
    meta: { next_cursor: nextCursor, has_more: hasMore },
  });
}
