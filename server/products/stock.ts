import { Prisma, type Product as ProductRow } from '../../prisma/generated/client/client.ts';
import { maximumStock } from '../../schema/products.ts';
import { actorOf } from '../platform/context.ts';
import { changedFields } from '../platform/events.ts';
import { newId } from '../platform/ids.ts';
import { columns } from '../platform/pagination.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { availableOf, presentProduct } from './present.ts';

/** What an order does to a product, as factors of its quantity: on hand, reserved. */
const effects = {
  reserve: { onHand: 0, reserved: 1, kind: null },
  release: { onHand: 0, reserved: -1, kind: null },
  sale: { onHand: -1, reserved: -1, kind: 'sale' },
  return: { onHand: 1, reserved: 0, kind: 'return' },
} as const;

export type StockEffect = keyof typeof effects;

/** A product as it was when its row was locked, and whether the effect could be had. */
export interface Moved {
  before: ProductRow;
  after: ProductRow;
  done: boolean;
}

/**
 * Moves stock of many products in one statement: rows are locked in id order, so no two orders wait for each
 * other, and each is changed only if there is enough of it. Writes the ledger where stock on hand moves.
 * The caller rolls back unless all are done. A product that is not returned does not exist.
 * @param quantities summed per product
 */
export async function moveStock(
  ctx: WorkContext,
  effect: StockEffect,
  quantities: ReadonlyMap<string, number>,
  orderId: string,
): Promise<Map<string, Moved>> {
  if (quantities.size === 0) return new Map();
  const { onHand, reserved, kind } = effects[effect];
  const reserving = effect === 'reserve';
  const now = ctx.now();
  const ids = [...quantities.keys()];
  const actor = JSON.stringify(actorOf(ctx));
  const rows = await ctx.db.$queryRaw<(ProductRow & { done: boolean })[]>`
    WITH wanted AS (
      SELECT * FROM unnest(${ids}::text[], ${[...quantities.values()]}::int[], ${ids.map(newId)}::text[])
        AS w (id, quantity, movement_id)
    ), locked AS MATERIALIZED (
      SELECT p.*, w.quantity, w.movement_id FROM products p JOIN wanted w ON w.id = p.id
      WHERE p.company_id = ${ctx.companyId} ORDER BY p.id FOR NO KEY UPDATE OF p
    ), moved AS (
      UPDATE products p SET
        stock = p.stock + ${onHand}::int * l.quantity,
        reserved = p.reserved + ${reserved}::int * l.quantity,
        ordered_at = CASE WHEN ${reserving}::boolean THEN coalesce(p.ordered_at, ${now}) ELSE p.ordered_at END,
        version = p.version + 1, updated_at = ${now}
      FROM locked l
      WHERE p.company_id = ${ctx.companyId} AND p.id = l.id
        AND (NOT ${reserving}::boolean OR p.status = 'active')
        AND p.reserved + ${reserved}::int * l.quantity BETWEEN 0 AND ${maximumStock}::int
        AND (p.stock IS NULL OR (
          p.stock + ${onHand}::int * l.quantity BETWEEN 0 AND ${maximumStock}::int
          AND (NOT ${reserving}::boolean OR p.stock - p.reserved >= l.quantity)
        ))
      RETURNING p.id, p.stock, l.quantity, l.movement_id
    ), ledger AS (
      INSERT INTO stock_movements (company_id, id, product_id, order_id, kind, quantity, stock_after, actor, at)
      SELECT ${ctx.companyId}, movement_id, id, ${orderId}, ${kind}::text, ${onHand}::int * quantity, stock,
        ${actor}::jsonb, ${now}
      FROM moved WHERE stock IS NOT NULL AND ${kind}::text IS NOT NULL
    )
    SELECT ${columns(Prisma.ProductScalarFieldEnum, 'l')}, m.id IS NOT NULL AS done
    FROM locked l LEFT JOIN moved m ON m.id = l.id`;
  return new Map(
    rows.map(({ done, ...before }) => {
      const quantity = quantities.get(before.id) ?? 0;
      const after: ProductRow = {
        ...before,
        stock: before.stock === null ? null : before.stock + onHand * quantity,
        reserved: before.reserved + reserved * quantity,
        orderedAt: before.orderedAt ?? (reserving ? now : null),
        version: before.version + 1,
        updatedAt: now,
      };
      return [before.id, { before, after, done }];
    }),
  );
}

/** The events of a changed product; `out_of_stock` when the last one that could be sold is gone. */
export function emitProductChange(ctx: WorkContext, before: ProductRow, after: ProductRow): void {
  const object = presentProduct(after);
  const previous = changedFields(presentProduct(before), object);
  ctx.emit({ type: 'product.updated', object, previous });
  const left = availableOf(after);
  const had = availableOf(before);
  if (left !== null && left <= 0 && (had === null || had > 0)) {
    ctx.emit({ type: 'product.out_of_stock', object, previous });
  }
}

/** Writes a change of stock on hand that no order caused into the ledger; nothing when it did not move. */
export async function recordMovement(
  ctx: WorkContext,
  kind: 'initial' | 'adjustment' | 'recount' | 'import',
  product: Pick<ProductRow, 'id' | 'stock'>,
  stockBefore: number | null,
): Promise<void> {
  const quantity = (product.stock ?? 0) - (stockBefore ?? 0);
  if (product.stock === stockBefore) return;
  await ctx.db.stockMovement.create({
    data: {
      companyId: ctx.companyId,
      id: newId(),
      productId: product.id,
      // The sum of a product's movements is its stock, so the end of tracking takes out what was left.
      kind: product.stock === null ? 'untracked' : kind,
      quantity,
      stockAfter: product.stock,
      actor: actorOf(ctx),
      at: ctx.now(),
    },
  });
}
