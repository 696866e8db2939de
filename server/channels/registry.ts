import type { ChannelAdapter } from './adapter.ts';
import { email } from './email.ts';
import { simulator } from './simulator.ts';
import { webchat } from './webchat.ts';
import { whatsapp } from './whatsapp.ts';

const adapters: ReadonlyMap<string, ChannelAdapter> = new Map(
  [email, simulator, webchat, whatsapp].map((adapter) => [adapter.kind, adapter]),
);

/** The adapter of a kind of channel; undefined for a kind that this installation can't send on. */
export function adapterFor(kind: string): ChannelAdapter | undefined {
  return adapters.get(kind);
}

/** The adapter of a channel that can be sent on; undefined while it is switched off, or has no credentials yet. */
export function usableAdapter({
  kind,
  status,
  credentials,
}: {
  kind: string;
  status: string;
  credentials: Uint8Array | null;
}): ChannelAdapter | undefined {
  const adapter = adapterFor(kind);
  return status === 'disabled' || (adapter?.credentials && !credentials) ? undefined : adapter;
}
