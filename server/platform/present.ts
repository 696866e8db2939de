import type { Context } from './context.ts';
import type { Page } from './pagination.ts';

/** A page of rows as the public list body. */
export function presentPage<Row, Public>(present: (row: Row, ctx: Context) => Public) {
  return ({ rows, nextCursor, hasMore }: Page<Row>, ctx: Context) => ({
    data: rows.map((row) => present(row, ctx)),
    meta: { next_cursor: nextCursor, has_more: hasMore },
  });
}

/** A time as every response gives it. */
export function iso(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
