import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from './support/client.ts';
import { useServer } from './support/server.ts';

const server = useServer();
let client: Client;

beforeAll(async () => {
  client = await (await server().company()).client();
});

async function send(method: string, path: string, body?: string, type = 'application/json') {
  const response = await fetch(`${server().url}/trpc/${path}`, {
    method,
    body: body ?? null,
    headers: {
      Authorization: `Bearer ${client.key}`,
      ...(body === undefined ? {} : { 'Content-Type': type }),
    },
  });
  const answer = await response.json();
  return { status: response.status, error: answer.error?.data?.error ?? answer.error, result: answer.result };
}

describe("a caller's mistake over tRPC is never a 5xx", () => {
  it.each([
    ['an unknown procedure', 'GET', 'nothing.here', undefined, 404, 'not_found'],
    ['no procedure', 'GET', '', undefined, 404, 'not_found'],
    ['a property of objects', 'GET', '__proto__', undefined, 404, 'not_found'],
    ['a mutation by GET', 'GET', 'contacts.create?input={}', undefined, 405, 'method_not_allowed'],
    ['a query by POST', 'POST', 'contacts.list', '{}', 405, 'method_not_allowed'],
    ['broken input', 'GET', 'contacts.list?input=%7B', undefined, 400, 'bad_request'],
    ['a bad percent sequence', 'GET', '%zz', undefined, 400, 'bad_request'],
    ['a broken body', 'POST', 'contacts.create', '{', 400, 'bad_request'],
    ['a key twice', 'POST', 'contacts.create', '{"name":"a","name":"b"}', 400, 'bad_request'],
    ['deep JSON', 'POST', 'contacts.create', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`, 400, 'bad_request'],
    ['too large', 'POST', 'contacts.create', `{"a":"${'x'.repeat(1024 * 1024)}"}`, 413, 'payload_too_large'],
  ])('%s', async (_name, method, path, body, status, code) => {
    const answer = await send(method, path, body);
    expect(answer.status).toBe(status);
    expect(answer.error).toMatchObject({ code, request_id: expect.stringMatching(/^\w{26}$/) });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    '%s, which another site can send',
    async (type) => {
      expect(await send('POST', 'contacts.create', '{}', type)).toMatchObject({
        status: 400,
        error: { code: 'bad_request' },
      });
    },
  );
});

it('a write without a body is one with every field absent', async () => {
  expect((await send('POST', 'contacts.create')).result.data.data.name).toBeNull();
});
