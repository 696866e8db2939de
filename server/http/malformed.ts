import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { AppError, errorBody } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { App } from './app.ts';
import { jsonType } from './responses.ts';

const reasons: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The request line and headers are too large.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive.',
};

/** What Node can't read as HTTP gets the documented body and headers too, and then its connection is closed. */
export function answerMalformed(app: App, server: Server): void {
  server.on('clientError', (fault: NodeJS.ErrnoException, socket: Duplex) => {
    if (fault.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) return void socket.destroy();
    const reason = reasons[fault.code ?? ''] ?? 'The request is not valid HTTP.';
    refuse(app, socket, new AppError('bad_request', reason)).catch(() => socket.destroy());
  });
}

async function refuse(app: App, socket: Duplex, error: AppError): Promise<void> {
  const requestId = newId();
  const budget = await app.limits.addressBudget((socket as Socket).remoteAddress);
  const body = JSON.stringify(errorBody(error, requestId));
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    `X-Request-Id: ${requestId}`,
    'X-Service-Mode: live',
    `X-RateLimit-Limit: ${budget.limit}`,
    `X-RateLimit-Remaining: ${budget.remaining}`,
    `Retry-After: ${budget.remaining > 0 ? 0 : budget.resetSeconds}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `Content-Type: ${jsonType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

/** An answer that has begun can't be followed by another: the client would read it as part of the first. */
function isAnswering(socket: Duplex): boolean {
  const current: unknown = Reflect.get(socket, '_httpMessage');
  return typeof current === 'object' && current !== null && Reflect.get(current, 'headersSent') === true;
}
