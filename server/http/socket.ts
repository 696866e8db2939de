import { type RawData, type WebSocket } from 'ws';

/** What every socket keeps to, whatever it speaks: times in milliseconds, sizes in bytes. */
export const socketLimits = {
  /** Longest message from a client. */
  message: 64 * 1024,
  /** What may wait for a slow reader. */
  buffer: 1024 * 1024,
  /** A reader that takes nothing for so long is stuck. */
  stuck: 8_000,
  /** Things that run or are subscribed to at once on one socket. */
  operations: 50,
  /** Sockets of one key on this process. */
  perKey: 20,
  /** How often every socket's access is asked for again, whatever was announced: expiry closes within this time. */
  recheck: 3_000,
  /** How long a closing handshake may take. */
  goodbye: 2_000,
} as const;

/** A close code and its reason. */
export type Closing = readonly [code: number, reason: string];

/** Close codes of WebSocket itself; clients come back after them. */
export const goingAway: Closing = [1001, 'Going away'];
export const slowReader: Closing = [1013, 'Reading too slowly'];

/** Messages that have not left for the network yet, and when the last one did. */
const leaving = new WeakMap<WebSocket, { count: number; since: number }>();

/**
 * Resolves when the message has left for the network, so that a subscription goes at the pace of its reader.
 * Where more than the buffer would wait, the reader is let go.
 */
export function sendText(socket: WebSocket, text: string): Promise<void> {
  if (socket.readyState !== socket.OPEN) return Promise.resolve();
  if (socket.bufferedAmount + text.length > socketLimits.buffer && socket.bufferedAmount > 0) {
    closeSocket(socket, slowReader);
    return Promise.resolve();
  }
  const state = leaving.get(socket) ?? { count: 0, since: 0 };
  leaving.set(socket, state);
  if (state.count++ === 0) state.since = performance.now();
  // A socket that breaks meanwhile is told by its close event.
  return new Promise((resolve) =>
    socket.send(text, () => {
      state.count--;
      state.since = performance.now();
      resolve();
    }),
  );
}

/** Lets go a reader that has stopped reading: nothing of what waits has left for a while. Asked every few seconds. */
export function closeStuck(socket: WebSocket): void {
  const state = leaving.get(socket);
  if (!state || state.count === 0 || performance.now() - state.since < socketLimits.stuck) return;
  if (socket.readyState === socket.OPEN) closeSocket(socket, slowReader);
}

/** Says goodbye, and cuts the connection when nobody answers. */
export function closeSocket(socket: WebSocket, [code, reason]: Closing): void {
  socket.close(code, reason);
  setTimeout(() => socket.terminate(), socketLimits.goodbye).unref();
}

export function textOf(data: RawData): string {
  return (
    Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data)
  ).toString();
}
