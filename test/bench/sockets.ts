import { readFileSync } from 'node:fs';
import { WebSocket } from 'ws';

/** A socket of graphql-ws that knows no more of it than it has to. */
export async function openSocket(url: string, key: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    perMessageDeflate: false,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('close', (code) => reject(new Error(`A socket was closed with ${code}.`)));
    socket.once('open', () => {
      socket.send(JSON.stringify({ type: 'connection_init', payload: { Authorization: `Bearer ${key}` } }));
    });
    socket.once('message', () => resolve());
  });
  return socket;
}

/**
 * Opens so many sockets, some at a time, dealt over the keys.
 * @param already how many are open, with the first keys
 */
export async function openSockets(
  url: string,
  keys: readonly string[],
  count: number,
  already = 0,
): Promise<WebSocket[]> {
  const sockets: WebSocket[] = [];
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const place = next++;
      sockets[place] = await openSocket(url, keys[(already + place) % keys.length] ?? '');
    }
  };
  await Promise.all(Array.from({ length: 32 }, lane));
  return sockets;
}

/** Sockets of one key that the server allows. */
export const socketsPerKey = 20;

/** How many of so many sockets this machine lets one process have. */
export function allowedSockets(wanted: number): number {
  const limit = Number(
    /Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Infinity,
  );
  return Math.min(wanted, limit - 500);
}

/** Cuts them, without a word. */
export async function closeSockets(sockets: readonly WebSocket[]): Promise<void> {
  await Promise.all(
    sockets.map((socket) => {
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.terminate();
      return closed;
    }),
  );
}
