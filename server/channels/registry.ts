import type { ChannelAdapter } from './adapter.ts';
import { simulator } from './simulator.ts';
import { webchat } from './webchat.ts';

const adapters: ReadonlyMap<string, ChannelAdapter> = new Map(
  [simulator, webchat].map((adapter) => [adapter.kind, adapter]),
);

/** The adapter of a kind of channel; undefined for a kind that this installation can't send on. */
export function adapterFor(kind: string): ChannelAdapter | undefined {
  return adapters.get(kind);
}
