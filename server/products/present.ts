import type { Product as ProductRow } from '../../prisma/generated/client/client.ts';
import type { Product } from '../../schema/products.ts';

/** What can still be sold; null when stock is not tracked. */
export function availableOf({ stock, reserved }: Pick<ProductRow, 'stock' | 'reserved'>): number | null {
  return stock === null ? null : stock - reserved;
}

export function presentProduct(row: ProductRow): Product {
  return {
    id: row.id,
    name: row.name,
    sku: row.sku,
    description: row.description,
    price: Number(row.price),
    currency: row.currency,
    status: row.status as Product['status'],
    stock: row.stock,
    reserved: row.reserved,
    available: availableOf(row),
    image_url: row.imageUrl,
    version: row.version,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
