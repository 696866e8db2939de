import type { ExecutionResult } from 'graphql-ws';

/** The text of a result that many sockets are sent. */
const texts = new WeakMap<object, string>();

/**
 * Sends a subscription's results itself, as the protocol's `next` messages, one after the other: a result that subscribers
 * have in common is written as JSON once, and not for each socket. For graphql-ws only those with errors are left, and
 * the end.
 * @param send resolves when the reader may be sent more
 */
export function sendResults(
  results: AsyncIterator<ExecutionResult>,
  id: string,
  send: (text: string) => Promise<void>,
): AsyncIterableIterator<ExecutionResult> {
  const head = `{"id":${JSON.stringify(id)},"type":"next","payload":`;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      for (;;) {
        const item = await results.next();
        if (item.done || item.value.errors) return item;
        await send(`${head}${textOf(item.value)}}`);
      }
    },
    async return() {
      await results.return?.();
      return { done: true, value: undefined };
    },
  };
}

function textOf(result: ExecutionResult): string {
  const known = texts.get(result);
  if (known !== undefined) return known;
  const text = JSON.stringify(result);
  texts.set(result, text);
  return text;
}
