import type { Product as ProductRow } from '../../prisma/generated/client/client.ts';
import { ProductListQuery } from '../../schema/products.ts';
import type { Context } from '../platform/context.ts';
import { type ExportOptions, exportCsv, exportPage } from '../platform/csv-export.ts';
import { execute, query } from '../platform/operation.ts';
import { countRows, type Page } from '../platform/pagination.ts';
import { listProductRecords, listProducts, productFilters } from './list.ts';
import { presentProduct } from './present.ts';

const names = [
  'id',
  'sku',
  'name',
  'description',
  'price',
  'currency',
  'status',
  'stock',
  'reserved',
  'available',
  'image_url',
  'created_at',
  'updated_at',
] as const;

/** The products that the list would show, as CSV, in its order. @throws AppError `validation_failed`, `forbidden` */
export function exportProducts(
  ctx: Context,
  filters: object,
  options?: ExportOptions,
): AsyncGenerator<string> {
  // Only the dashboard's list knows what is nearly sold out.
  const page = (input: object): Promise<Page<ProductRow>> =>
    'available_max' in filters ? execute(listProductRecords, ctx, input) : execute(listProducts, ctx, input);
  return exportCsv(
    names,
    (cursor) => page({ ...filters, limit: exportPage, cursor }),
    (rows) => rows.map(presentProduct).map((product) => names.map((name) => product[name])),
    options,
  );
}

/** How many `exportProducts` gives. @throws AppError `validation_failed`, `forbidden` */
export const countProducts = query(
  { access: 'commerce.view', input: ProductListQuery.omit({ limit: true, cursor: true }) },
  (ctx, input) => countRows(ctx, 'products', productFilters(input)),
);
