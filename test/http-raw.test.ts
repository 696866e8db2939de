import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { ErrorBody } from '../schema/common.ts';
import type { Client } from './support/client.ts';
import { useServer } from './support/server.ts';

const server = useServer();
let api: Client;
let authorization: string;

beforeAll(async () => {
  api = await (await server().company()).client();
  authorization = `Host: localhost\r\nAuthorization: Bearer ${api.key}\r\n`;
});

/** Writes bytes as they are and reads until the server closes, or until `until` has come. */
function talk(bytes: string, until?: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(server().url).port), '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
      if (until?.test(text)) socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
}

const whole = /\r\n\r\n[\s\S]*\}$/;

describe('what is no HTTP gets the documented answer [K8]', () => {
  it.each([
    ['a bad request line', () => 'GARBAGE\r\n\r\n'],
    ['an unknown method', () => `FOO /api/v1/me HTTP/1.1\r\n${authorization}\r\n`],
    ['a bad header', () => `GET /api/v1/me HTTP/1.1\r\n${authorization}Bad Header: x\r\n\r\n`],
    ['huge headers', () => `GET /api/v1/me HTTP/1.1\r\n${authorization}X: ${'a'.repeat(20_000)}\r\n\r\n`],
    [
      'two lengths',
      () =>
        `POST /api/v1/contacts HTTP/1.1\r\n${authorization}Content-Length: 2\r\nContent-Length: 3\r\n\r\n`,
    ],
    [
      'a bad chunk',
      () => `POST /api/v1/contacts HTTP/1.1\r\n${authorization}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`,
    ],
  ])('%s', async (_name, request) => {
    const [head = '', body = ''] = (await talk(request())).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    const { error } = ErrorBody.parse(JSON.parse(body));
    expect(error.code).toBe('bad_request');
    expect(head).toContain(`X-Request-Id: ${error.request_id}`);
    for (const name of ['X-Service-Mode', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'Retry-After'])
      expect(head).toContain(`\r\n${name}: `);
  });
});

it('an offer of another protocol is declined by answering', async () => {
  const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
  const answer = await talk(`GET /api/v1/me HTTP/1.1\r\n${authorization}${offer}\r\n`, whole);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

describe('a request line as proxies may write it', () => {
  it.each([
    ['the whole address', 'GET http://parlour.example/api/v1/me', 200],
    ['the whole address, with a query', 'GET http://parlour.example/api/v1/contacts?limit=1', 200],
    ['the address of an endpoint that is none', 'GET http://parlour.example/api/v1/nothing', 404],
    ['a letter that is escaped without need', 'GET /api/v1/%6de', 200],
    ['the prefix in capitals', 'GET /API/V1/me', 404],
    ['no more than the prefix', 'GET /api/v1', 404],
    ['the prefix and a slash', 'GET /api/v1/', 404],
    ['two slashes', 'GET /api/v1//me', 404],
    ['an endpoint and a slash', 'GET /api/v1/me/', 404],
    ['an empty id', 'GET /api/v1/contacts/', 404],
    ['an empty id in the middle', 'GET /api/v1/conversations//timeline', 404],
    ['an id with a slash in it', 'GET /api/v1/contacts/a%2Fb', 404],
    ['an id of 2,000 letters', `GET /api/v1/contacts/${'a'.repeat(2_000)}`, 404],
    ['an id that can’t be read', 'GET /api/v1/contacts/%E0%A4%A', 400],
    ['a fragment', 'GET /api/v1/me#part', 200],
    ['the head alone', 'HEAD /api/v1/me', 200],
    ['a method of files', 'PROPFIND /api/v1/contacts', 405],
    ['GraphQL with a slash', 'PUT /graphql/', 405],
    ['GraphQL with a whole address', 'PUT http://parlour.example/graphql', 405],
    ['below GraphQL', 'GET /graphql/nothing', 404],
  ])('%s', async (_name, line, status) => {
    const head = await talk(`${line} HTTP/1.1\r\n${authorization}Connection: close\r\n\r\n`);
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toMatch(/\r\nX-Request-Id: \w{26}\r\n/);
  });

  it('a visit of GraphQL goes to the explorer', async () => {
    const visit = `GET /graphql HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nConnection: close\r\n\r\n`;
    expect(await talk(visit)).toMatch(/^HTTP\/1\.1 303 [\s\S]*\r\nLocation: \//);
  });
});

it('an expectation that nobody knows is ignored', async () => {
  const answer = await talk(`GET /api/v1/me HTTP/1.1\r\n${authorization}Expect: more\r\n\r\n`, whole);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

describe('a body that is too large is answered before the rest of it comes [F7]', () => {
  const post = () => `POST /api/v1/contacts HTTP/1.1\r\n${authorization}Content-Type: application/json\r\n`;

  it('by its length', async () => {
    const answer = await talk(`${post()}Content-Length: 99999999999\r\n\r\n{`, whole);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('by counting', async () => {
    const chunk = `100001\r\n${' '.repeat(0x100001)}\r\n`;
    const answer = await talk(`${post()}Transfer-Encoding: chunked\r\n\r\n${chunk}`, whole);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('by how much it was compressed', async () => {
    const raw = new Uint8Array(gzipSync(JSON.stringify({ name: 'a', filler: 'a'.repeat(900_000) })));
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    const answer = await api.request('POST', '/contacts', { raw, headers });
    expect([answer.status, answer.body.error.code]).toEqual([413, 'payload_too_large']);
  });
});

it('a compressed body is read, and a broken or unknown compression is refused', async () => {
  const send = (raw: Uint8Array<ArrayBuffer>, encoding: string) =>
    api.request('POST', '/contacts', {
      raw,
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': encoding },
    });
  const packed = new Uint8Array(gzipSync('{"name":"packed"}'));
  expect((await send(packed, 'gzip')).body.data.name).toBe('packed');
  expect((await send(packed.slice(0, 12), 'gzip')).status).toBe(400);
  expect((await send(new Uint8Array(Buffer.from('{}')), 'gzip')).status).toBe(400);
  expect((await send(packed, 'toString')).status).toBe(400);
});

it('the document names the address that it was served from', async () => {
  const answer = await api.request('GET', '/openapi.json');
  expect(answer.body.servers).toEqual([{ url: server().url }]);
});
