import type { IncomingMessage } from 'node:http';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { App } from './app.ts';
import { clientAddress } from './client-address.ts';
import { networkOf } from './rate-limit.ts';
import {
  closeSocket,
  closeStuck,
  type Closing,
  goingAway,
  sendText,
  socketLimits,
  textOf,
} from './socket.ts';
import type { SocketPath } from './ws.ts';

/** Times in milliseconds. */
const times = {
  /** A client that is silent for so long is asked whether it is there. */
  ping: 60_000,
  /** How long it may take to answer. */
  pong: 30_000,
  look: 3_000,
} as const;

/** Sockets of one address on this process. */
const perAddress = 200;
const overQuota: Closing = [4004, 'Over quota'];
const stale: Closing = [4201, 'No answer to a ping'];
const ping = JSON.stringify({ event: 'pusher:ping', data: '{}' });
const path = /^\/app\/([^/]+)$/;

/** Who understands the messages; this file knows sockets alone. */
interface Protocol {
  open(
    line: { send(text: string): void; close(closing: Closing): void },
    key: string,
    version: string | null,
  ): { hear(text: string): void; gone(): void } | null;
  close(): void;
}

interface Connection {
  socket: WebSocket;
  network: string;
  heardAt: number;
  asked: boolean;
}

/**
 * The Pusher protocol over WebSocket at `/app/{key}`. Pages of any origin may connect: a browser adds nothing that
 * proves anything here, every channel needs a signature that only a caller with a key gets.
 */
export function pusherSockets(app: App, protocol: Protocol): SocketPath {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: socketLimits.message,
    perMessageDeflate: false,
  });
  const connections = new Set<Connection>();
  const addressOf = clientAddress(app.config.trustProxy);
  const timer = setInterval(() => {
    for (const connection of connections) watch(connection);
  }, times.look).unref();

  server.on('connection', (socket: WebSocket, request: IncomingMessage) => {
    const network = networkOf(addressOf(request));
    const connection: Connection = { socket, network, heardAt: performance.now(), asked: false };
    socket.on('error', (error) => app.log.debug({ err: error }, 'socket failed'));
    const others = [...connections].filter((other) => other.network === network);
    if (others.length >= perAddress) return closeSocket(socket, overQuota);
    const [pathname = '', query] = (request.url ?? '').split('?');
    const peer = protocol.open(
      { send: (text) => void sendText(socket, text), close: (closing) => closeSocket(socket, closing) },
      // Ours has nothing that would have to be escaped: a key with a percent sequence is another's.
      path.exec(pathname)?.[1] ?? '',
      new URLSearchParams(query).get('protocol'),
    );
    if (!peer) return;
    connections.add(connection);
    socket.on('message', (data: RawData) => {
      connection.heardAt = performance.now();
      connection.asked = false;
      if (socket.readyState === socket.OPEN) peer.hear(textOf(data));
    });
    socket.once('close', () => {
      connections.delete(connection);
      peer.gone();
    });
  });

  return {
    matches: (requested) => path.test(requested),
    upgrade: (request, socket, head) => {
      server.handleUpgrade(request, socket, head, (accepted) => server.emit('connection', accepted, request));
    },
    close() {
      clearInterval(timer);
      for (const { socket } of connections) closeSocket(socket, goingAway);
      server.close();
      protocol.close();
    },
  };
}

function watch(connection: Connection): void {
  const { socket } = connection;
  closeStuck(socket);
  const silent = performance.now() - connection.heardAt;
  if (connection.asked && silent > times.ping + times.pong) return closeSocket(socket, stale);
  if (connection.asked || silent < times.ping) return;
  connection.asked = true;
  void sendText(socket, ping);
}
