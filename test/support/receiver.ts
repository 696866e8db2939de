import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A request as a receiver got it. */
export interface Received {
  path: string;
  headers: Record<string, string>;
  /** The raw body: what is signed. */
  body: Buffer;
  // eslint-disable-next-line typescript/no-explicit-any -- tests read bodies of many shapes
  event: { id: string; type: string; sequence: number; company: string; livemode: boolean; data: any };
}

type Answer = (response: http.ServerResponse, request: Received) => void;

/** A customer's receiver on the loopback interface. */
export interface Receiver {
  url: string;
  port: number;
  received: Received[];
  /** What it answers from now on; 200 until said otherwise. */
  answer(how: Answer | number): void;
  /** Resolves once so many requests, since the start, are here. */
  until(count: number, patience?: number): Promise<Received[]>;
  close(): Promise<void>;
}

export async function startReceiver(host = '127.0.0.1', port = 0): Promise<Receiver> {
  const received: Received[] = [];
  let how: Answer = (response) => response.writeHead(200).end('ok');
  let arrived = Promise.withResolvers<void>();
  const take = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const one: Received = {
      path: request.url ?? '',
      headers: request.headers as Record<string, string>,
      body,
      event: JSON.parse(body.toString() || 'null'),
    };
    received.push(one);
    how(response, one);
    arrived.resolve();
    arrived = Promise.withResolvers();
  };
  const server = http.createServer((request, response) => {
    // A sender that was killed has not sent all of it.
    take(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://${host}:${bound}/hook`,
    port: bound,
    received,
    answer(next) {
      how = typeof next === 'number' ? (response) => response.writeHead(next).end() : next;
    },
    async until(count, patience = 20_000) {
      const end = performance.now() + patience;
      while (received.length < count) {
        if (performance.now() > end) throw new Error(`Received ${received.length} of ${count} requests.`);
        await Promise.race([arrived.promise, wait(250)]);
      }
      return received.slice(0, count);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
