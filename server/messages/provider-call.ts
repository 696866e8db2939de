import { setTimeout as wait } from 'node:timers/promises';
import type { ChannelAdapter, SendResult } from '../channels/adapter.ts';
import type { Context } from '../platform/context.ts';
import type { Claim } from './deliver.ts';

/** How long an aborted call may take to say what it knows, in milliseconds; less than what a claim waits for it. */
const afterAbortMs = 1_000;

/** Makes the call. Undefined when it is not known what became of it. */
export async function callProvider(ctx: Context, claim: Claim): Promise<SendResult | undefined> {
  const { message, channel, adapter, outbound } = claim;
  try {
    return await withinPatience(adapter, (signal) => adapter.send(ctx.app, channel, outbound, signal));
  } catch (error) {
    ctx.log.warn({ err: error, message_id: message.id, channel: channel.kind }, 'outcome of a send unknown');
    return undefined;
  }
}

/** What is aborted may tell still that nothing was sent; what does not end then has an unknown outcome. */
async function withinPatience<T>(
  { patience }: ChannelAdapter,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const timer = new AbortController();
  const late = wait(patience, undefined, { signal: timer.signal }).then(async () => {
    abort.abort();
    await wait(afterAbortMs, undefined, { signal: timer.signal });
    throw new Error(`The provider took over ${patience} ms.`);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([call(abort.signal), late]);
  } finally {
    timer.abort();
  }
}
