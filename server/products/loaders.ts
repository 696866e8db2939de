import type { Product as ProductRow } from '../../prisma/generated/client/client.ts';
import type { Context } from '../platform/context.ts';

/** Products by id, in one statement. */
export async function productsById(ctx: Context, ids: string[]): Promise<Map<string, ProductRow>> {
  const rows = await ctx.db.product.findMany({ where: { companyId: ctx.companyId, id: { in: ids } } });
  return new Map(rows.map((row) => [row.id, row]));
}
