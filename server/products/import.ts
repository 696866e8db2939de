import { limits, text } from '../../schema/common.ts';
import { ProductUpdate } from '../../schema/products.ts';
import type { Context } from '../platform/context.ts';
import type { Column } from '../platform/csv-columns.ts';
import type { CsvSource } from '../platform/csv-file.ts';
import { importCsv } from '../platform/csv-import.ts';
import {
  checked,
  type ImportOptions,
  type ImportPlan,
  type ImportResult,
  type ImportRow,
  type ImportRun,
  inImport,
  type Outcome,
  refusalOf,
} from '../platform/csv-plan.ts';
import { AppError, invalid } from '../platform/errors.ts';
import { execute } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { createProduct, updateProduct } from './service.ts';

/** Columns of a file of products. `price` is in minor units, as in the API. */
export const productColumns: readonly Column[] = [
  { name: 'id', kind: 'word' },
  { name: 'sku', kind: 'word', aliases: ['article number', 'item number', 'variant sku', 'product sku'] },
  { name: 'name', kind: 'text', aliases: ['product', 'product name', 'title'] },
  { name: 'description', kind: 'text', aliases: ['product description'] },
  { name: 'price', kind: 'integer', aliases: ['price cents', 'price minor'] },
  { name: 'currency', kind: 'word', aliases: ['currency code'] },
  { name: 'status', kind: 'choice' },
  { name: 'stock', kind: 'integer', aliases: ['quantity', 'qty', 'on hand', 'inventory', 'stock quantity'] },
  { name: 'image_url', kind: 'word', aliases: ['image'] },
];

interface ProductInput {
  id: string | undefined;
  sku: string | undefined;
  fields: Record<string, unknown>;
}

const plan: ImportPlan<ProductInput> = {
  access: 'commerce.manage',
  columns: productColumns,
  needed: [['sku', 'id']],
  // So many products are held while a batch is written, and an order for one of them waits.
  batch: 100,
  read: ([row]) => readProduct(row),
  write: writeProducts,
};

/**
 * Imports products through their service. A row is of the product with its `id`, else its SKU, and updates it, empty
 * cells saying nothing (so stock is a recount where given); without one, it makes a product. A row needs one of the two.
 * @throws CsvFileError
 */
export function importProducts(
  ctx: Context,
  source: CsvSource,
  options?: ImportOptions,
): Promise<ImportResult> {
  return importCsv(ctx, plan, source, options);
}

const ProductKey = ProductUpdate.extend({ id: text(limits.id).optional() });

function readProduct({ values }: ImportRow): ProductInput {
  const { id, sku } = checked(ProductKey, values);
  if (!sku && id === undefined)
    throw invalid({ param: 'sku', code: 'required', message: 'Needs a SKU, by which it is known.' });
  const { id: _, ...fields } = values;
  return { id, sku: sku ?? undefined, fields };
}

async function writeProducts(ctx: Context, run: ImportRun, inputs: ProductInput[]): Promise<Outcome[]> {
  const outcomes = await inImport(ctx, run, async (work) => {
    const known = await lockProducts(work, inputs);
    const all: Outcome[] = [];
    for (const input of inputs) all.push(await writeProduct(work, run, known, input));
    return all;
  });
  if (run.dryRun)
    for (const [index, { sku }] of inputs.entries())
      if (outcomes[index] === 'created' && sku !== undefined) run.made.add(sku);
  return outcomes;
}

interface Known {
  ids: Set<string>;
  bySku: Map<string, string>;
}

/** All that the batch may change, held in id order as orders do, so that neither waits for the other for ever. */
async function lockProducts(ctx: WorkContext, inputs: readonly ProductInput[]): Promise<Known> {
  const ids = inputs.flatMap(({ id }) => id ?? []);
  const skus = inputs.flatMap(({ sku }) => sku ?? []);
  const rows = await ctx.db.$queryRaw<{ id: string; sku: string | null }[]>`
    SELECT id, sku FROM products WHERE company_id = ${ctx.companyId} AND id = ANY(ARRAY(
      SELECT unnest(${ids}::text[])
      UNION SELECT p.id FROM unnest(${skus}::text[]) AS given (sku)
        JOIN products p ON p.company_id = ${ctx.companyId} AND p.sku = given.sku
    )) ORDER BY id FOR NO KEY UPDATE`;
  return {
    ids: new Set(rows.map(({ id }) => id)),
    bySku: new Map(rows.flatMap(({ id, sku }) => (sku === null ? [] : [[sku, id]]))),
  };
}

async function writeProduct(
  ctx: WorkContext,
  { made }: ImportRun,
  known: Known,
  { id, sku, fields }: ProductInput,
): Promise<Outcome> {
  const existing =
    id !== undefined && known.ids.has(id) ? id : sku === undefined ? undefined : known.bySku.get(sku);
  try {
    const before = ctx.work.events.length;
    if (existing !== undefined) {
      const row = await execute(updateProduct, ctx, { ...fields, product: existing });
      if (row.sku !== null) known.bySku.set(row.sku, row.id);
      return ctx.work.events.length > before ? 'updated' : 'skipped';
    }
    if (sku === undefined)
      throw invalid({
        param: 'sku',
        code: 'required',
        message: 'Needs a SKU: there is no product with this id.',
      });
    const row = await execute(createProduct, ctx, fields);
    known.bySku.set(sku, row.id);
    return made.has(sku) ? 'updated' : 'created';
  } catch (error) {
    if (error instanceof AppError) return refusalOf(error);
    throw error;
  }
}
