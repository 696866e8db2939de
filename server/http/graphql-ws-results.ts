import type { ExecutionResult } from 'graphql-ws';
import { mapStream } from '../platform/streams.ts';

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
  return mapStream(results, async (result) => {
    if (result.errors) return result;
    await send(`${head}${jsonOf(result)}}`);
    return undefined;
  });
}

function jsonOf(result: ExecutionResult): string {
  const known = texts.get(result);
  if (known !== undefined) return known;
  const text = JSON.stringify(result);
  texts.set(result, text);
  return text;
}
