import type { IncomingMessage } from 'node:http';
import type { ExecutionArgs, GraphQLError } from 'graphql';
import { handleProtocols, makeServer } from 'graphql-ws';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { accessChannel } from '../platform/auth.ts';
import type { Principal } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { App } from './app.ts';
import { clientAddress } from './client-address.ts';
import { engine } from './graphql.ts';
import { graphqlError } from './graphql-errors.ts';
import type { Prepared } from './graphql-prepare.ts';
import { sameOrigin } from './origin.ts';
import type { SocketPath } from './ws.ts';

/** Figures of one socket: times in milliseconds, sizes in bytes. */
const socketLimits = {
  /** Longest message from a client. */
  message: 64 * 1024,
  /** Until `connection_init` must have come. */
  init: 3_000,
  ping: 30_000,
  /** Operations that run at once on one socket. */
  operations: 50,
  /** Sockets of one key on this process. */
  perKey: 20,
  /** What may wait for a slow reader. */
  buffer: 1024 * 1024,
  /** How often every socket's access is asked for again, whatever was announced: expiry closes within this time. */
  recheck: 3_000,
  /** How long a closing handshake may take. */
  goodbye: 2_000,
} as const;

/** Close codes: 44xx as graphql-ws gives them (its clients do not come back), 10xx of WebSocket (they do). */
const closing = {
  goingAway: [1001, 'Going away'],
  slowReader: [1013, 'Reading too slowly'],
  unauthenticated: [4401, 'Unauthorized'],
  forbidden: [4403, 'Forbidden'],
  tooMany: [4429, 'Too many connections'],
} as const;

/** One open socket. `principal` is set once the caller is known. */
interface Connection {
  socket: WebSocket;
  request: IncomingMessage;
  authorization: string[];
  principal: Principal | null;
}

/** GraphQL over WebSocket (protocol graphql-transport-ws): what runs is the same as over HTTP. */
export function graphqlSockets(app: App): SocketPath {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: socketLimits.message,
    perMessageDeflate: false,
    handleProtocols,
  });
  const connections = new Set<Connection>();
  const addressOf = clientAddress(app.config.trustProxy);
  const protocol = makeServer<Record<string, unknown>, Connection>({
    connectionInitWaitTimeout: socketLimits.init,
    onConnect: async ({ connectionParams, extra }) => {
      const refused = await admit(app, connections, extra, connectionParams, addressOf(extra.request));
      if (refused) close(extra.socket, refused);
      return refused === null;
    },
    onSubscribe: ({ extra, subscriptions }, _id, payload) =>
      prepare(app, extra, payload, Object.keys(subscriptions).length),
    execute: runPrepared,
    subscribe: runPrepared,
  });

  const recheck = (companyId?: string) => {
    for (const connection of connections) {
      if (companyId !== undefined && connection.principal?.account.id !== companyId) continue;
      void refresh(app, connection, addressOf(connection.request));
    }
  };
  app.notifications.on(accessChannel, recheck);
  app.notifications.onReset(() => recheck());
  const timer = setInterval(recheck, socketLimits.recheck).unref();

  server.on('connection', (socket: WebSocket, request: IncomingMessage) => {
    const connection: Connection = { socket, request, authorization: [], principal: null };
    connections.add(connection);
    serve(app, protocol, connection, () => connections.delete(connection));
  });

  return {
    matches: (path) => path === '/graphql',
    upgrade: (request, socket, head) => {
      server.handleUpgrade(request, socket, head, (accepted) => server.emit('connection', accepted, request));
    },
    close() {
      clearInterval(timer);
      for (const { socket } of connections) close(socket, closing.goingAway);
      server.close();
    },
  };
}

type Protocol = ReturnType<typeof makeServer<Record<string, unknown>, Connection>>;

/** Carries messages between the socket and the protocol, and keeps the socket honest. */
function serve(app: App, protocol: Protocol, connection: Connection, gone: () => void): void {
  const { socket } = connection;
  let alive = true;
  socket.on('pong', () => (alive = true));
  const ping = setInterval(() => {
    if (!alive) return socket.terminate();
    alive = false;
    socket.ping();
  }, socketLimits.ping);
  socket.on('error', (error) => app.log.debug({ err: error }, 'socket failed'));
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send: (data) => send(socket, data),
      close: (code = 1000, reason = '') => close(socket, [code, reason]),
      onMessage: (handle) => {
        socket.on('message', (data: RawData) => {
          if (socket.readyState === socket.OPEN)
            handle(textOf(data)).catch((error: unknown) => failed(app, socket, error));
        });
      },
    },
    connection,
  );
  socket.once('close', (code, reason) => {
    clearInterval(ping);
    gone();
    closed(code, String(reason)).catch((error: unknown) =>
      app.log.error({ err: error }, 'socket not closed well'),
    );
  });
}

/** Resolves when the message has left for the network, so that each operation waits for its reader. */
function send(socket: WebSocket, data: string): Promise<void> {
  if (socket.readyState !== socket.OPEN) return Promise.resolve();
  if (socket.bufferedAmount + data.length > socketLimits.buffer && socket.bufferedAmount > 0) {
    close(socket, closing.slowReader);
    return Promise.resolve();
  }
  // A socket that breaks meanwhile is told by its close event.
  return new Promise((resolve) => socket.send(data, () => resolve()));
}

function close(socket: WebSocket, [code, reason]: readonly [number, string]): void {
  socket.close(code, reason);
  setTimeout(() => socket.terminate(), socketLimits.goodbye).unref();
}

function failed(app: App, socket: WebSocket, error: unknown): void {
  app.log.error({ err: error }, 'socket message failed');
  close(socket, [4500, 'Internal server error']);
}

function textOf(data: RawData): string {
  return (
    Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data)
  ).toString();
}

/** Who is it? Takes the key from `connection_init`, or else from the handshake. Returns why the socket is refused. */
async function admit(
  app: App,
  connections: ReadonlySet<Connection>,
  connection: Connection,
  params: Record<string, unknown> | undefined,
  address: string,
): Promise<readonly [number, string] | null> {
  const given = Object.entries(params ?? {}).filter(([name]) => name.toLowerCase() === 'authorization');
  // What a browser adds by itself proves nothing about the page, so the page's origin must be ours then.
  if (given.length === 0 && !sameOrigin(app, connection.request)) return closing.forbidden;
  connection.authorization =
    given.length > 0
      ? given.map(([, value]) => String(value))
      : (connection.request.headersDistinct['authorization'] ?? []);
  const principal = await app.keys.authenticate(connection.authorization, address);
  if (!principal) {
    const budget = await app.limits.forAddress(address);
    return budget.allowed ? closing.unauthenticated : closing.tooMany;
  }
  const others = [...connections].filter((other) => other.principal?.id === principal.id);
  if (others.length >= socketLimits.perKey) return closing.tooMany;
  connection.principal = principal;
  return null;
}

/** Asks again who it is: a revoked or expired key loses its socket, a changed one its scopes. */
async function refresh(app: App, connection: Connection, address: string): Promise<void> {
  if (!connection.principal) return;
  try {
    const principal = await app.keys.authenticate(connection.authorization, address);
    if (principal) connection.principal = principal;
    else close(connection.socket, closing.forbidden);
  } catch (error) {
    app.log.warn({ err: error }, 'access of a socket not checked');
  }
}

/** The request of one operation, counted against the key's budget, or the errors to send. */
async function prepare(
  app: App,
  { principal }: Connection,
  payload: unknown,
  running: number,
): Promise<Prepared | GraphQLError[]> {
  if (!principal) throw new Error('An operation came before its caller was known.');
  const ctx = app.context(principal, newId());
  if (running > socketLimits.operations) {
    return [
      graphqlError(new AppError('rate_limited', `Over ${socketLimits.operations} operations at once.`), ctx),
    ];
  }
  const prepared = engine.prepare(ctx, payload);
  const budget = await app.limits.forPrincipal(principal, 'cost' in prepared ? prepared.cost : 1);
  if (budget.allowed) return prepared;
  return [graphqlError(new AppError('rate_limited', undefined, { retryAfter: budget.resetSeconds }), ctx)];
}

/** The library hands back what `onSubscribe` gave it. */
function runPrepared(args: ExecutionArgs) {
  return engine.run(args as Prepared);
}
