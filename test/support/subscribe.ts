import { setTimeout as wait } from 'node:timers/promises';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

/**
 * A graphql-ws client of a server; `sockets` are those it has opened, for tests that cut them.
 * @param headers of the handshake, as a page of the dashboard sends them instead of a key
 */
export function socketClient(
  url: string,
  key: string | null,
  headers: Record<string, string> = {},
): { client: Client; sockets: WebSocket[] } {
  const sockets: WebSocket[] = [];
  class Recorded extends WebSocket {
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols, { headers });
      sockets.push(this);
      this.on('error', () => {});
    }
  }
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: Recorded,
    connectionParams: key === null ? {} : { Authorization: `Bearer ${key}` },
    retryAttempts: 0,
  });
  return { client, sockets };
}

/** What a subscription brought so far, and how it ended. */
export class Subscribed<Item = Record<string, unknown>> {
  readonly items: Item[] = [];
  errors: unknown;
  ended: unknown;
  readonly stop: () => void;

  constructor(client: Client, field: string, query: string, variables: Record<string, unknown> = {}) {
    this.stop = client.subscribe<Record<string, Item>>(
      { query, variables },
      {
        next: ({ data, errors }) => {
          const item = data?.[field];
          if (item) this.items.push(item);
          if (errors) this.errors = errors;
        },
        error: (error) => (this.ended = error ?? new Error('failed')),
        complete: () => (this.ended ??= 'complete'),
      },
    );
  }

  async until(done: (items: Item[]) => boolean, timeout = 10_000): Promise<Item[]> {
    for (let waited = 0; waited < timeout; waited += 5) {
      if (done(this.items)) return this.items;
      await wait(5);
    }
    throw new Error(
      `Only ${this.items.length} items came: ${JSON.stringify(this.items.slice(-3))} ${JSON.stringify(this.ended)}`,
    );
  }
}
