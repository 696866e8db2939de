import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { App } from './app.ts';

/** What answers the upgrades of one path. */
export interface SocketPath {
  matches(path: string): boolean;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Says goodbye to every socket and cuts those that do not answer. */
  close(): void;
}

/** Other protocols are declined by answering as usual: Java's client and curl offer HTTP/2 with every request. */
export function isWebSocket(request: IncomingMessage): boolean {
  return request.headers.upgrade?.trim().toLowerCase() === 'websocket';
}

/** WebSockets of this server: one entry a path, everything else is 404. */
export function attachWebSockets(app: App, server: Server, paths: readonly SocketPath[]): { close(): void } {
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Until the handshake is done nobody else listens, and an unheard error would end the process.
    socket.on('error', () => socket.destroy());
    const [path = ''] = (request.url ?? '').split('?');
    const found = app.ready ? paths.find((entry) => entry.matches(path)) : undefined;
    try {
      found?.upgrade(request, socket, head);
    } catch (error) {
      // Thrown in an event, it would end the process.
      app.log.error({ err: error }, 'upgrade failed');
      socket.destroy();
    }
    if (!found) refuse(socket, app.ready ? '404 Not Found' : '503 Service Unavailable');
  };
  server.on('upgrade', upgrade);
  return {
    close() {
      for (const path of paths) path.close();
    },
  };
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}
