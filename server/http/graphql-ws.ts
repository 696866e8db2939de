import type { IncomingMessage } from 'node:http';
import type { GraphQLError } from 'graphql';
import { handleProtocols, makeServer } from 'graphql-ws';
import pLimit, { type LimitFunction } from 'p-limit';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { accessChannel } from '../platform/auth.ts';
import { followPrincipal, type Principal } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { App } from './app.ts';
import { bearerOf } from './authenticate.ts';
import { clientAddress } from './client-address.ts';
import { engine } from './graphql.ts';
import { endsSlowReader, type GraphqlEngine } from './graphql-engine.ts';
import { graphqlError } from './graphql-errors.ts';
import type { Prepared } from './graphql-prepare.ts';
import { sendResults } from './graphql-ws-results.ts';
import { sameOrigin } from './origin.ts';
import {
  type Closing,
  closeSocket,
  closeStuck,
  goingAway,
  sendText,
  slowReader,
  socketLimits,
  textOf,
} from './socket.ts';
import type { SocketPath } from './ws.ts';

/** Times in milliseconds. */
const times = {
  /** Until `connection_init` must have come. */
  init: 3_000,
  ping: 30_000,
} as const;

/**
 * What sockets ask of the database at a time, over all of them. When all come back at once, as after a restart, they wait
 * here, and not in front of the requests of everybody else.
 */
const atOnce = 32;

/** Close codes as graphql-ws gives them; its clients do not come back after these. */
const closing = {
  unauthenticated: [4401, 'Unauthorized'],
  forbidden: [4403, 'Forbidden'],
  tooMany: [4429, 'Too many connections'],
} as const;

/** One open socket. `principal` is set once the caller is known. */
interface Connection {
  socket: WebSocket;
  request: IncomingMessage;
  authorization: string[];
  /** Where a page acts through its session: in which mode. */
  mode: 'live' | 'test';
  principal: Principal | null;
  /** It is to be asked again who it is, and that has not begun. */
  toCheck: boolean;
}

/** What a socket says of who it is; `principal` once it is known. */
export type Caller = Pick<Connection, 'authorization' | 'request' | 'mode' | 'principal'>;

/** Who may come in at a path, and what they find there. */
export interface Door {
  matches(path: string): boolean;
  engine: GraphqlEngine;
  /** Whether a page may connect. `named`: it gives a key itself, and does not rely on what the browser adds. */
  admitsPage(request: IncomingMessage, named: boolean): boolean | Promise<boolean>;
  identify(caller: Caller, address: string): Promise<Principal | null>;
}

/** The company's own: keys, and what runs is the same as over HTTP. */
export function ownDoor(app: App): Door {
  return {
    matches: (path) => path === '/graphql',
    engine,
    // What a browser adds by itself proves nothing about the page, so the page's origin must be ours then.
    admitsPage: (request, named) => named || sameOrigin(app, request),
    identify: (caller, address) => callerOf(app, caller, address),
  };
}

/** A key, or the session of the page; browsers always name the page's origin, so a cookie without one is nobody. */
function callerOf(app: App, caller: Caller, address: string): Promise<Principal | null> {
  const { authorization, request, mode, principal } = caller;
  if (authorization.length > 0)
    return bearerOf(app, authorization, { ip: address, headers: request.headers });
  if (principal?.session !== undefined) return app.sessions.principalOf(principal.session, mode);
  if (request.headers.origin === undefined) return Promise.resolve(null);
  return app.sessions.authenticate(request.headers.cookie, mode);
}

/** GraphQL over WebSocket (protocol graphql-transport-ws). */
export function graphqlSockets(app: App, door: Door): SocketPath {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: socketLimits.message,
    perMessageDeflate: false,
    handleProtocols,
  });
  const connections = new Connections();
  const gate = pLimit(atOnce);
  const addressOf = clientAddress(app.config.trustProxy);
  const protocol = makeServer<Record<string, unknown>, Connection>({
    connectionInitWaitTimeout: times.init,
    onConnect: async ({ connectionParams, extra }) => {
      const address = addressOf(extra.request);
      const refused = await admit(app, door, gate, connections, extra, connectionParams, address);
      if (refused) closeSocket(extra.socket, refused);
      return refused === null;
    },
    onSubscribe: ({ extra, subscriptions }, _id, payload) =>
      prepare(app, door, extra, payload, Object.keys(subscriptions).length),
    onOperation: ({ extra }, id, _payload, _args, result) =>
      Symbol.asyncIterator in result
        ? sendResults(result[Symbol.asyncIterator](), id, (text) => sendText(extra.socket, text))
        : undefined,
    onNext: ({ extra }, _id, _payload, _args, result) => {
      if (endsSlowReader(result)) closeSocket(extra.socket, slowReader);
    },
    // The library hands back what `onSubscribe` gave it.
    execute: (args) => door.engine.run(args as Prepared),
    subscribe: (args) => gate(() => door.engine.run(args as Prepared)),
  });

  const recheck = (companyId?: string) => {
    for (const connection of connections.all) {
      if (companyId !== undefined && connection.principal?.account.id !== companyId) continue;
      if (connection.toCheck) continue;
      connection.toCheck = true;
      void gate(() => refresh(app, door, connection, addressOf(connection.request)));
    }
  };
  app.notifications.on(accessChannel, recheck);
  app.notifications.onReset(() => recheck());
  const timer = setInterval(() => {
    for (const { socket } of connections.all) closeStuck(socket);
    recheck();
  }, socketLimits.recheck).unref();

  server.on('connection', (socket: WebSocket, request: IncomingMessage) => {
    const caller = { authorization: [], mode: 'live' as const, principal: null };
    const connection: Connection = { socket, request, ...caller, toCheck: false };
    connections.all.add(connection);
    serve(app, protocol, connection, () => connections.left(connection));
  });

  return {
    matches: (path) => door.matches(path),
    upgrade: (request, socket, head) => {
      server.handleUpgrade(request, socket, head, (accepted) => server.emit('connection', accepted, request));
    },
    close() {
      clearInterval(timer);
      for (const { socket } of connections.all) closeSocket(socket, goingAway);
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
  }, times.ping);
  socket.on('error', (error) => app.log.debug({ err: error }, 'socket failed'));
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send: (data) => sendText(socket, data),
      close: (code = 1000, reason = '') => closeSocket(socket, [code, reason]),
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

function failed(app: App, socket: WebSocket, error: unknown): void {
  app.log.error({ err: error }, 'socket message failed');
  closeSocket(socket, [4500, 'Internal server error']);
}

/** The open sockets of a path, and how many each caller has. */
class Connections {
  readonly all = new Set<Connection>();
  readonly #counts = new Map<string | null, number>();

  /** @returns false when the caller has as many as they may */
  admit(connection: Connection, principal: Principal): boolean {
    const count = this.#counts.get(principal.id) ?? 0;
    if (count >= socketLimits.perKey) return false;
    connection.principal = principal;
    // One that closed while we asked who it is has left already.
    if (this.all.has(connection)) this.#counts.set(principal.id, count + 1);
    return true;
  }

  left(connection: Connection): void {
    if (!this.all.delete(connection) || !connection.principal) return;
    const { id } = connection.principal;
    const count = (this.#counts.get(id) ?? 0) - 1;
    if (count > 0) this.#counts.set(id, count);
    else this.#counts.delete(id);
  }
}

/** Who is it? Takes the key from `connection_init`, or else from the handshake. Returns why the socket is refused. */
async function admit(
  app: App,
  door: Door,
  gate: LimitFunction,
  connections: Connections,
  connection: Connection,
  params: Record<string, unknown> | undefined,
  address: string,
): Promise<Closing | null> {
  const given = valuesOf(params, 'authorization');
  if (!(await door.admitsPage(connection.request, given.length > 0))) return closing.forbidden;
  connection.authorization =
    given.length > 0 ? given : (connection.request.headersDistinct['authorization'] ?? []);
  connection.mode = valuesOf(params, 'x-service-mode').includes('test') ? 'test' : 'live';
  const principal = await gate(() => door.identify(connection, address));
  if (!principal) {
    const budget = await app.limits.forAddress(address);
    return budget.allowed ? closing.unauthenticated : closing.tooMany;
  }
  return connections.admit(connection, principal) ? null : closing.tooMany;
}

function valuesOf(params: Record<string, unknown> | undefined, wanted: string): string[] {
  return Object.entries(params ?? {}).flatMap(([name, value]) =>
    name.toLowerCase() === wanted ? [String(value)] : [],
  );
}

/** Asks again who it is: a revoked or expired key or session loses its socket, a changed one its scopes. */
async function refresh(app: App, door: Door, connection: Connection, address: string): Promise<void> {
  connection.toCheck = false;
  if (!connection.principal) return;
  try {
    const principal = await door.identify(connection, address);
    if (principal) connection.principal = principal;
    else closeSocket(connection.socket, closing.forbidden);
  } catch (error) {
    app.log.warn({ err: error }, 'access of a socket not checked');
  }
}

/** The request of one operation, counted against the key's budget, or the errors to send. */
async function prepare(
  app: App,
  door: Door,
  connection: Connection,
  payload: unknown,
  running: number,
): Promise<Prepared | GraphQLError[]> {
  const { principal } = connection;
  if (!principal) throw new Error('An operation came before its caller was known.');
  const ctx = followPrincipal(app.context(principal, newId()), () => connection.principal ?? principal);
  if (running > socketLimits.operations) {
    return [
      graphqlError(new AppError('rate_limited', `Over ${socketLimits.operations} operations at once.`), ctx),
    ];
  }
  const prepared = door.engine.prepare(ctx, payload);
  const budget = await app.limits.forPrincipal(principal, 'cost' in prepared ? prepared.cost : 1);
  if (budget.allowed) return prepared;
  return [graphqlError(new AppError('rate_limited', undefined, { retryAfter: budget.resetSeconds }), ctx)];
}
