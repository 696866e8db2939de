import { Prisma, type Product as ProductRow } from '../../prisma/generated/client/client.ts';
import { ProductListQuery, ProductRecordListQuery } from '../../schema/products.ts';
import type { Context } from '../platform/context.ts';
import { query } from '../platform/operation.ts';
import {
  columns,
  containsText,
  newestFirst,
  type Page,
  readPage,
  type Sort,
} from '../platform/pagination.ts';

const sorts: Record<'created_at' | 'name', Sort<ProductRow>> = {
  created_at: newestFirst,
  name: { name: 'name', column: 'name_sort', type: 'text', direction: 'asc', valueOf: (row) => row.nameSort },
};

const select = Prisma.sql`SELECT ${columns(Prisma.ProductScalarFieldEnum)} FROM products`;

/** Newest first, or by name. */
export const listProducts = query({ access: 'commerce.view', input: ProductListQuery }, (ctx, input) =>
  productPage(ctx, input),
);

/** The list that agents work with: that of the API, and what is nearly sold out. */
export const listProductRecords = query(
  { access: 'commerce.view', dashboardOnly: true, input: ProductRecordListQuery },
  (ctx, input) => productPage(ctx, input),
);

function productPage(ctx: Context, input: ProductRecordListQuery): Promise<Page<ProductRow>> {
  return readPage<ProductRow>(ctx, {
    list: 'products',
    select,
    where: productFilters(input),
    filters: input,
    sort: sorts[input.sort ?? 'created_at'],
    limit: input.limit,
    cursor: input.cursor,
  });
}

/** The conditions of the list's filters. */
export function productFilters({
  q,
  status,
  in_stock,
  available_max: most,
}: ProductRecordListQuery): Prisma.Sql[] {
  const filters: Prisma.Sql[] = [];
  // The second condition is always true: it lets the planner use the partial index on the search text.
  if (q !== undefined && q !== '') filters.push(containsText('search', q), Prisma.sql`search IS NOT NULL`);
  if (status !== undefined) filters.push(Prisma.sql`status = ${status}`);
  if (in_stock === true) filters.push(Prisma.sql`(stock IS NULL OR stock > reserved)`);
  if (in_stock === false) filters.push(Prisma.sql`stock <= reserved`);
  if (most !== undefined) filters.push(Prisma.sql`stock - reserved <= ${most}`);
  return filters;
}
