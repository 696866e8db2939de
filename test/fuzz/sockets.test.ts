import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type TestCompany, useServer } from '../support/server.ts';
import { seed, textLike, tries } from './bytes.ts';
import { escape } from './exchange.ts';
import { texts } from './hostile.ts';

const server = useServer();
let company: TestCompany;
const faults: unknown[] = [];
const note = (fault: unknown) => faults.push(fault);

beforeAll(async () => {
  company = await server().company();
  process.on('uncaughtExceptionMonitor', note);
});
afterAll(() => process.off('uncaughtExceptionMonitor', note));

/** Asks for a WebSocket. @returns the first line of the answer */
function handshake(path: string, headers = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
    const socket = connect(Number(new URL(server().url).port), '127.0.0.1', () =>
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${key}${headers}\r\n`,
      ),
    );
    socket.once('data', (data) => {
      resolve(String(data).split('\r\n')[0] ?? '');
      socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve('closed'));
  });
}

it('no path and no header of a handshake ends the process', async () => {
  const words = fc.constantFrom(
    '%zz',
    '%',
    '%E0%A4%A',
    '..',
    '//',
    '%00',
    '?',
    '?protocol=%zz',
    '[',
    'a'.repeat(2_000),
    ...texts.map(escape),
  );
  const path = fc
    .tuple(fc.constantFrom('/app/', '/graphql', '/webchat/', '//', '/'), words)
    .map((parts) => parts.join(''));
  const headers = fc.constantFrom(
    '',
    'Origin: nonsense\r\n',
    'Origin: null\r\n',
    'Sec-WebSocket-Protocol: ,,;=\r\n',
    'Cookie: =;%zz=%zz\r\n',
    'X-Forwarded-For: nonsense\r\n',
  );
  await fc.assert(
    fc.asyncProperty(path, headers, async (asked, sent) => {
      expect(await handshake(asked, sent)).toMatch(/^HTTP\/1\.1 (101|4\d\d) |^closed$/);
      expect(faults).toEqual([]);
    }),
    { numRuns: Math.min(tries, 2_000) / 10, seed },
  );
  expect((await fetch(`${server().url}/livez`)).status).toBe(200);
});

it.each([
  ['/graphql', 'graphql-transport-ws'],
  ['/app/nonsense?protocol=7', ''],
])('no message on a socket at %s ends the process', async (path, protocol) => {
  const { key } = await company.key();
  const init = JSON.stringify({ type: 'connection_init', payload: { Authorization: `Bearer ${key}` } });
  const subscribe = { type: 'subscribe', id: '1', payload: { query: 'subscription { events { type } }' } };
  const frames = textLike(
    init,
    JSON.stringify(subscribe),
    '{"type":"ping"}',
    '{"event":"pusher:subscribe","data":{"channel":"private-company.x","auth":"a:b"}}',
    '{"event":"client-typing","channel":"presence-conversation.x","data":{}}',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(frames, { minLength: 1, maxLength: 20 }), async (messages) => {
      const socket = new WebSocket(
        `${server().url.replace('http', 'ws')}${path}`,
        protocol === '' ? [] : protocol,
      );
      socket.on('error', () => {});
      const closed = new Promise((resolve) => socket.once('close', resolve));
      await new Promise((resolve) => socket.once('open', resolve).once('close', resolve));
      for (const message of [init, ...messages]) if (socket.readyState === socket.OPEN) socket.send(message);
      socket.close();
      await closed;
      expect(faults).toEqual([]);
    }),
    { numRuns: tries / 20, seed },
  );
  expect((await fetch(`${server().url}/livez`)).status).toBe(200);
});
