import { Prisma, type Product as ProductRow } from '../../prisma/generated/client/client.ts';
import { ProductBulkStatus } from '../../schema/products.ts';
import { mutation } from '../platform/operation.ts';
import { columns } from '../platform/pagination.ts';
import { emitProductChange } from './stock.ts';

const all = columns(Prisma.ProductScalarFieldEnum);

/**
 * Gives up to 500 products one status, in two statements, with an event for each that had another. Foreign and unknown
 * ids match nothing.
 */
export const setProductStatuses = mutation(
  { access: 'commerce.manage', dashboardOnly: true, input: ProductBulkStatus },
  async (ctx, { product_ids, status }) => {
    const before = await ctx.db.$queryRaw<ProductRow[]>`
      SELECT ${all} FROM products
      WHERE company_id = ${ctx.companyId} AND id = ANY(${product_ids}) AND status <> ${status}
      ORDER BY id FOR NO KEY UPDATE`;
    const rows = await ctx.db.$queryRaw<ProductRow[]>`
      UPDATE products SET status = ${status}, version = version + 1, updated_at = ${ctx.now()}
      WHERE company_id = ${ctx.companyId} AND id = ANY(${before.map(({ id }) => id)}) RETURNING ${all}`;
    const after = new Map(rows.map((row) => [row.id, row]));
    for (const row of before) emitProductChange(ctx, row, after.get(row.id) ?? row);
    return { requested: product_ids.length, affected: rows.length };
  },
);
