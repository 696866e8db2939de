import { t } from '@lingui/core/macro';
import { type InfiniteData } from '@tanstack/react-query';
import { minorUnits } from '../app/money.ts';
import { done } from '../app/done.ts';
import { type inferOutput, queryClient, trpc } from '../app/trpc.ts';
import { number } from '../app/words.ts';
import { withRow } from '../realtime/use-record-news.ts';
import type { Product } from './products-page.tsx';

type ProductPage = inferOutput<typeof trpc.products.records>;

/** @throws Failure, and the list shows what it showed before */
export async function setPrice(product: Product, text: string): Promise<void> {
  const price = minorUnits(text, product.currency);
  await change(product, { price }, { product: product.id, price });
}

/**
 * Sets what is on hand by the difference to what was shown, so that no sale made meanwhile is lost: of two who add
 * five at once, both count.
 */
export async function setStock(product: Product, text: string): Promise<void> {
  const stock = /^\d{1,10}$/.test(text.trim()) ? Number(text) : Number.NaN;
  const adjustment = stock - (product.stock ?? 0);
  const after = await change(product, { stock }, { product: product.id, stock_adjustment: adjustment });
  if (after.stock !== null && after.stock !== stock)
    done(t`${product.name}: ${number.format(after.stock)} are on hand, for the stock moved meanwhile.`);
}

type Input = Parameters<typeof update>[0];

function update(input: { product: string; price?: number; stock_adjustment?: number }) {
  const mutation = queryClient.getMutationCache().build(queryClient, trpc.products.update.mutationOptions());
  return mutation.execute(input);
}

async function change(product: Product, patch: Partial<Product>, input: Input): Promise<Product> {
  const valid = Object.values(patch).every((value) => !Number.isNaN(value));
  if (valid) show(product.id, { ...product, ...patch });
  try {
    const { data } = await update(input);
    await queryClient.invalidateQueries(trpc.products.pathFilter());
    return data;
  } catch (error) {
    show(product.id, product);
    void queryClient.invalidateQueries(trpc.products.pathFilter());
    throw error;
  }
}

/** Draws a product in every list that is loaded, before the server has answered. */
function show(id: string, product: Product): void {
  queryClient.setQueriesData<InfiniteData<ProductPage>>(
    trpc.products.records.infiniteQueryFilter(),
    (before) => withRow(before, id, () => product),
  );
}
