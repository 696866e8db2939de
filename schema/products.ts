import { z } from 'zod';
import { flag, idOut, page, pageQuery, publicId, searchText, single, text, timestamp } from './common.ts';
import { amount, amountOut, currency, currencyOut } from './money.ts';
import { bulkStatusMaximum, productStatuses, productSorts } from './words.ts';

export { productStatuses, productSorts } from './words.ts';

/** Most that can be on hand of one product, and most that one adjustment can move. */
export const maximumStock = 1_000_000_000;
export const maximumAdjustment = 1_000_000;

/** Something sold. Never deleted: archived. Source: decisions §1. */
export const Product = z
  .strictObject({
    id: idOut,
    name: z.string(),
    sku: z.string().nullable(),
    description: z.string().nullable(),
    price: amountOut,
    currency: currencyOut,
    status: z.enum(productStatuses),
    stock: z.int().nullable().meta({ description: 'On hand; null when not tracked.' }),
    reserved: z.int().min(0).meta({ description: 'Held by orders that have not shipped.' }),
    available: z
      .int()
      .nullable()
      .meta({ description: '`stock` less `reserved`; negative after a recount below what is reserved.' }),
    image_url: z.string().nullable(),
    version: z.int().meta({ description: 'Grows with every change.' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Product' });
export type Product = z.infer<typeof Product>;

const name = text(191, 1).meta({ minLength: 1, maxLength: 191, examples: ['Stoneware mug, sea green'] });
const stock = z
  .int()
  .min(0)
  .max(maximumStock)
  .nullable()
  .meta({ description: 'On hand; null when not tracked.' });

const details = {
  sku: text(64, 1).nullish().meta({ minLength: 1, maxLength: 64, description: 'Unique per company.' }),
  description: text(5000).nullish(),
  image_url: text(2048, 1)
    .nullish()
    .meta({ maxLength: 2048, description: 'A URL that `POST /media` answered.' }),
};

export const ProductCreate = z.object({
  name,
  price: amount,
  currency: currency.optional().meta({ description: "The company's unless given." }),
  status: z.enum(productStatuses).optional().meta({ default: 'active' }),
  stock: stock.optional(),
  ...details,
});
export type ProductCreate = z.infer<typeof ProductCreate>;

/** Body of update: absent keeps, null clears. */
export const ProductUpdate = z.object({
  name: name.optional(),
  price: amount.optional(),
  currency: currency.optional().meta({ description: 'Fixed once the product was ordered (409).' }),
  status: z.enum(productStatuses).optional(),
  stock: stock.optional().meta({ description: 'A recount: replaces what is on hand. null ends tracking.' }),
  stock_adjustment: z.int().min(-maximumAdjustment).max(maximumAdjustment).optional().meta({
    description: 'Added to what is on hand; loses no sale made meanwhile. Not together with `stock`.',
  }),
  ...details,
});
export type ProductUpdate = z.infer<typeof ProductUpdate>;

/** Query of the list. `sort=created_at` is newest first, `sort=name` ascending. */
export const ProductListQuery = z.object({
  q: searchText.optional().meta({ description: 'Text in name or SKU.' }),
  status: z.enum(productStatuses).optional(),
  in_stock: flag.optional().meta({ description: 'Whether any is available; untracked products always are.' }),
  sort: z.enum(productSorts).optional().meta({ default: 'created_at' }),
  ...pageQuery,
});
export type ProductListQuery = z.infer<typeof ProductListQuery>;

/** Query of the dashboard's list. */
export const ProductRecordListQuery = ProductListQuery.extend({
  available_max: z
    .int()
    .min(0)
    .max(maximumStock)
    .optional()
    .meta({ description: 'Counted products of which no more than this can be sold.' }),
});
export type ProductRecordListQuery = z.infer<typeof ProductRecordListQuery>;

/** Body of bulk status. Unknown ids match nothing and cause no error. */
export const ProductBulkStatus = z.object({
  product_ids: z.array(publicId).min(1).max(bulkStatusMaximum),
  status: z.enum(productStatuses),
});

export const ProductBulkStatusBody = single(
  z.strictObject({
    requested: z.int().min(0).meta({ description: 'Length of `product_ids` as sent.' }),
    affected: z.int().min(0).meta({ description: 'Products that had another status.' }),
  }),
);

export const ProductBody = single(Product);
export const ProductPage = page(Product);
