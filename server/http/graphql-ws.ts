import type { IncomingMessage } from 'node:http';
import { CloseCode, handleProtocols, makeServer, type Server as Protocol, type SubscribePayload } from 'graphql-ws';
import { GraphQLError } from 'graphql';
import { type WebSocket, WebSocketServer } from 'ws';
import type { App } from './app.ts';
import { accessChannel } from '../platform/auth.ts';
import { publicUrlFor } from '../platform/config.ts';
import type { Principal } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { clientAddress } from './client-address.ts';
import { engine } from './graphql.ts';
import type { Answer, Prepared } from './graphql-engine.ts';
import { graphqlError } from './graphql-errors.ts';
import type { SocketPath } from './ws.ts';

/** Figures of one socket; times in milliseconds, sizes in bytes. */
export const socketLimits = {
  /** Longest message from a client. */
  message: 64 * 1024,
  /** Until `connection_init` has come. */
  init: 3_000,
  ping: 30_000,
  /** Operations that run at once on one socket. */
  operations: 50,
  /** Sockets of one key on this process. */
  perKey: 20,
  /** What may wait for a slow reader. */
  buffer: 1024 * 1024,
  /** How often access is asked for again: expiry and missed announcements close within this time. */
  recheck: 3_000,
  /** How long a closing handshake may take. */
  goodbye: 2_000,
} as const;
