import { z } from 'zod';
import { Prisma, type Product as ProductRow } from '../../prisma/generated/client/client.ts';
import { pathId } from '../../schema/common.ts';
import { maximumStock, ProductCreate, ProductUpdate } from '../../schema/products.ts';
import type { Context } from '../platform/context.ts';
import { conflict, invalidField, notFound } from '../platform/errors.ts';
import { isId, newId } from '../platform/ids.ts';
import { mutation, query } from '../platform/operation.ts';
import { columns } from '../platform/pagination.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { claimImage } from './image.ts';
import { presentProduct } from './present.ts';
import { emitProductChange, recordMovement } from './stock.ts';

const productPath = { product: pathId };

/** The product with this id, or null: unknown and foreign look the same. */
export async function findProduct(ctx: Context, id: string): Promise<ProductRow | null> {
  if (!isId(id)) return null;
  return ctx.db.product.findUnique({ where: { companyId_id: { companyId: ctx.companyId, id } } });
}

const productTargets = {
  product: async (ctx: Context, id: string) => (await findProduct(ctx, id)) !== null,
};

export const showProduct = query(
  { access: 'commerce.view', input: z.object(productPath), targets: productTargets },
  async (ctx, { product }) => {
    const row = await findProduct(ctx, product);
    if (!row) throw notFound();
    return row;
  },
);

export const createProduct = mutation(
  { access: 'commerce.manage', input: ProductCreate },
  async (ctx, input) => {
    await refuseTakenSku(ctx, input.sku);
    await claimImage(ctx, input.image_url);
    const now = ctx.now();
    const row = await ctx.db.product.create({
      data: {
        companyId: ctx.companyId,
        id: newId(),
        name: input.name,
        sku: input.sku ?? null,
        description: input.description ?? null,
        price: input.price,
        currency: input.currency?.toUpperCase() ?? ctx.principal.company.currency,
        status: input.status ?? 'active',
        stock: input.stock ?? null,
        imageUrl: input.image_url ?? null,
        createdAt: now,
        updatedAt: now,
      },
    });
    await recordMovement(ctx, 'initial', row, null);
    ctx.emit({ type: 'product.created', object: presentProduct(row) });
    return row;
  },
);

export const updateProduct = mutation(
  { access: 'commerce.manage', input: ProductUpdate.extend(productPath), targets: productTargets },
  async (ctx, { product, ...input }) => {
    const before = await lockProduct(ctx, product);
    const stock = stockAfter(before, input);
    const currency = input.currency?.toUpperCase();
    if (currency !== undefined && currency !== before.currency && before.orderedAt)
      throw conflict('The currency of a product that was ordered is fixed.');
    const data = changesOf(before, { ...input, currency, stock });
    if (Object.keys(data).length === 0) return before;
    if (data.sku !== undefined) await refuseTakenSku(ctx, input.sku, before.id);
    if (data.imageUrl !== undefined) await claimImage(ctx, input.image_url);
    const row = await ctx.db.product.update({
      where: { companyId_id: { companyId: ctx.companyId, id: before.id } },
      data: { ...data, version: { increment: 1 }, updatedAt: ctx.now() },
    });
    await recordMovement(
      ctx,
      input.stock_adjustment === undefined ? 'recount' : 'adjustment',
      row,
      before.stock,
    );
    emitProductChange(ctx, before, row);
    return row;
  },
);

/** Reads the product and holds its row, so that no sale comes in between. */
async function lockProduct(ctx: WorkContext, id: string): Promise<ProductRow> {
  const rows = isId(id)
    ? await ctx.db.$queryRaw<ProductRow[]>`
        SELECT ${columns(Prisma.ProductScalarFieldEnum)} FROM products
        WHERE company_id = ${ctx.companyId} AND id = ${id} FOR NO KEY UPDATE`
    : [];
  if (!rows[0]) throw notFound();
  return rows[0];
}

/** Stock on hand after the update; undefined when it does not say. */
function stockAfter(
  before: ProductRow,
  { stock, stock_adjustment: adjustment }: ProductUpdate,
): number | null | undefined {
  if (adjustment === undefined) return stock;
  const refuse = (code: 'not_allowed' | 'min' | 'max', message: string) =>
    invalidField('stock_adjustment', code, message);
  if (stock !== undefined) throw refuse('not_allowed', 'Give stock or stock_adjustment, not both.');
  if (before.stock === null) throw refuse('not_allowed', 'The stock of this product is not tracked.');
  const after = before.stock + adjustment;
  if (after < 0) throw refuse('min', `Only ${before.stock} are on hand.`);
  if (after > maximumStock) throw refuse('max', `At most ${maximumStock} can be on hand.`);
  return after;
}

type Changes = Prisma.ProductUncheckedUpdateInput;

function changesOf(
  before: ProductRow,
  input: ProductUpdate & { currency: string | undefined; stock: number | null | undefined },
): Changes {
  const wanted = {
    name: input.name,
    sku: input.sku,
    description: input.description,
    price: input.price === undefined ? undefined : BigInt(input.price),
    currency: input.currency,
    status: input.status,
    stock: input.stock,
    imageUrl: input.image_url,
  };
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([name, value]) => value !== undefined && value !== before[name as keyof typeof wanted],
    ),
  );
}

/** 422 with the id of the product that has the SKU already. */
async function refuseTakenSku(
  ctx: WorkContext,
  sku: string | null | undefined,
  self?: string,
): Promise<void> {
  if (sku === null || sku === undefined) return;
  const existing = await ctx.db.product.findFirst({
    where: { companyId: ctx.companyId, sku, ...(self === undefined ? {} : { id: { not: self } }) },
    select: { id: true },
  });
  if (existing) throw invalidField('sku', 'duplicate', 'Another product has this SKU.', existing.id);
}
