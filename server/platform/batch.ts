import type { Context } from './context.ts';

interface Batch<Value> {
  keys: Set<string>;
  answer: Promise<ReadonlyMap<string, Value>>;
}

/**
 * Loads by key in as few calls as possible: what one tick of a request asks for is one call of `load`, which names
 * each key once. Nothing is remembered after that, so a later mutation of the same request is seen.
 * @returns undefined for a key that `load` did not answer
 */
export function batched<Value>(
  load: (ctx: Context, keys: string[]) => Promise<ReadonlyMap<string, Value>>,
): (ctx: Context, key: string) => Promise<Value | undefined> {
  const open = new WeakMap<Context, Batch<Value>>();
  return async (ctx, key) => {
    let batch = open.get(ctx);
    if (!batch) {
      const keys = new Set<string>();
      const answer = endOfTick().then(() => {
        open.delete(ctx);
        return load(ctx, [...keys]);
      });
      batch = { keys, answer };
      open.set(ctx, batch);
    }
    batch.keys.add(key);
    return (await batch.answer).get(key);
  };
}

/** After the promises that are settled now have run: resolvers of one level ask in different microtasks. */
function endOfTick(): Promise<void> {
  return Promise.resolve().then(() => new Promise((resolve) => process.nextTick(resolve)));
}
