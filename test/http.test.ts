import { request as httpRequest } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { ErrorBody } from '../schema/common.ts';
import { Client } from './support/client.ts';
import { revokeApiKey } from '../server/keys/service.ts';
import { execute } from '../server/platform/operation.ts';
import { systemContext } from '../server/platform/system-context.ts';
import { startServer, type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let api: Client;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
});

function expectHeaders(headers: Headers, mode = 'live'): void {
  expect(headers.get('x-request-id')).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(headers.get('x-service-mode')).toBe(mode);
  expect(headers.get('x-ratelimit-limit')).toMatch(/^\d+$/);
  expect(headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
  expect(headers.get('retry-after')).toMatch(/^\d+$/);
  expect(headers.get('x-powered-by')).toBeNull();
}

describe('every answer has its headers and the documented body [K8, F7, F8]', () => {
  it.each([
    ['no key', 'GET', '/contacts', { headers: { Authorization: '' } }, 401, 'unauthenticated'],
    ['unknown path', 'GET', '/nothing', {}, 404, 'not_found'],
    ['trailing slash', 'GET', '/contacts/', {}, 404, 'not_found'],
    ['upper case', 'GET', '/CONTACTS', {}, 404, 'not_found'],
    ['two slashes', 'GET', '//contacts', {}, 404, 'not_found'],
    ['wrong method', 'PUT', '/contacts', {}, 405, 'method_not_allowed'],
    ['other Accept', 'GET', '/contacts', { headers: { Accept: 'text/html' } }, 406, 'not_acceptable'],
    ['JSON excluded', 'GET', '/me', { headers: { Accept: 'application/json; q=0' } }, 406, 'not_acceptable'],
    [
      'broken JSON',
      'POST',
      '/contacts',
      { raw: '{', headers: { 'Content-Type': 'application/json' } },
      400,
      'bad_request',
    ],
    [
      'an array',
      'POST',
      '/contacts',
      { raw: '[]', headers: { 'Content-Type': 'application/json' } },
      400,
      'bad_request',
    ],
    [
      'a key twice',
      'POST',
      '/contacts',
      { raw: '{"name":"a","name":"b"}', headers: { 'Content-Type': 'application/json' } },
      400,
      'bad_request',
    ],
    [
      'deep JSON',
      'POST',
      '/contacts',
      { raw: `{"a":${'['.repeat(40)}${']'.repeat(40)}}`, headers: { 'Content-Type': 'application/json' } },
      400,
      'bad_request',
    ],
    [
      'many values',
      'POST',
      '/contacts',
      { raw: `{"a":[${'1,'.repeat(10_001)}1]}`, headers: { 'Content-Type': 'application/json' } },
      400,
      'bad_request',
    ],
    [
      'a form',
      'POST',
      '/contacts',
      { raw: 'name=a', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
      400,
      'bad_request',
    ],
    [
      'UTF-16',
      'POST',
      '/contacts',
      { raw: '{}', headers: { 'Content-Type': 'application/json; charset=utf-16' } },
      400,
      'bad_request',
    ],
    [
      'too large',
      'POST',
      '/contacts',
      { raw: `{"name":"${'x'.repeat(1024 * 1024)}"}`, headers: { 'Content-Type': 'application/json' } },
      413,
      'payload_too_large',
    ],
    ['bad percent in the path', 'GET', '/contacts/%zz', {}, 400, 'bad_request'],
    ['bad percent in the query', 'GET', '/contacts?q=%zz', {}, 400, 'bad_request'],
    ['a parameter twice', 'GET', '/contacts?limit=1&limit=2', {}, 422, 'validation_failed'],
  ] as const)('%s', async (_name, method, path, options, status, code) => {
    const answer = await api.request(method, path, options);
    expect(answer.status).toBe(status);
    expect(ErrorBody.parse(answer.body).error.code).toBe(code);
    expect(answer.body.error.request_id).toBe(answer.headers.get('x-request-id'));
    expectHeaders(answer.headers);
  });

  it('401 names the scheme; pages of ours allow no inline style or script', async () => {
    const answer = await new Client(server().url, null).get('/contacts');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    const home = await fetch(`${server().url}/livez`);
    expect(home.headers.get('content-security-policy')).not.toContain('unsafe-inline');
    expect(home.headers.get('x-frame-options')).toBe('DENY');
  });

  it('a success too', async () => {
    expectHeaders((await api.get('/contacts')).headers);
  });

  it('405 and OPTIONS name the methods [F8]', async () => {
    const wrong = await api.request('PUT', '/contacts');
    expect(wrong.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    const options = await api.request('OPTIONS', '/contacts');
    expect(options.status).toBe(204);
    expect(options.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
  });

  it('HEAD is GET without a body [F8]', async () => {
    const head = await api.request('HEAD', '/me');
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(2);
  });
});

describe('what is fine', () => {
  it('a charset of UTF-8 and a vendor JSON type', async () => {
    for (const type of [
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      'application/vnd.api+json',
    ]) {
      const answer = await api.request('POST', '/contacts', {
        raw: '{"name":"kept"}',
        headers: { 'Content-Type': type },
      });
      expect(answer.status).toBe(201);
      expect(answer.body.data.name).toBe('kept');
    }
  });

  it('a write without body and content type', async () => {
    expect((await api.request('POST', '/contacts')).status).toBe(201);
  });

  it('an unknown query parameter, and any Accept that admits JSON', async () => {
    expect((await api.get('/contacts?nonsense=1')).status).toBe(200);
    for (const accept of [
      '*/*',
      'application/*',
      'text/html, application/json;q=0.1',
      'application/json; charset=utf-8',
      'application/json;version=1 ; q=0.5',
    ]) {
      expect((await api.request('GET', '/me', { headers: { Accept: accept } })).status).toBe(200);
    }
  });

  it('__proto__ in a body, without effect [F7]', async () => {
    const raw = '{"name":"a","__proto__":{"blocked":true},"constructor":{"prototype":{"x":1}}}';
    const answer = await api.request('POST', '/contacts', {
      raw,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(answer.status).toBe(201);
    expect(answer.body.data.blocked).toBe(false);
    expect(Reflect.get({}, 'x')).toBeUndefined();
  });
});

describe('query values are strict [F5]', () => {
  it.each(['0x10', '1e1', ' 5', '5 ', '', '+5', '1.0', '0', '101', '-1', 'NaN', '99999999999999999999'])(
    'limit=%j',
    async (limit) => {
      expect((await api.request('GET', `/contacts?limit=${encodeURIComponent(limit)}`)).status).toBe(422);
    },
  );

  it.each(['TRUE', 'yes', '', '2', 'null', '01'])('blocked=%j', async (blocked) => {
    expect((await api.request('GET', `/contacts?blocked=${blocked}`)).status).toBe(422);
  });

  it.each(['1', '0', 'true', 'false'])('blocked=%s is fine', async (blocked) => {
    expect((await api.request('GET', `/contacts?blocked=${blocked}`)).status).toBe(200);
  });
});

describe('the bearer key', () => {
  const me = (headers: Record<string, string | string[]>) =>
    new Promise<number>((resolve, reject) => {
      const url = new URL(`${server().url}/api/v1/me`);
      const request = httpRequest(url, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      request.on('error', reject);
      request.end();
    });

  it('is taken in any spelling of the scheme [K6]', async () => {
    for (const scheme of ['Bearer ', 'bearer ', 'BEARER ', 'Bearer   ']) {
      expect(await me({ Authorization: `${scheme}${api.key}` })).toBe(200);
    }
  });

  it('is refused in anything else [K6]', async () => {
    const key = String(api.key);
    for (const value of [
      `x Bearer ${key}`,
      key,
      `Basic ${key}`,
      `Bearer ${key} x`,
      `Bearer ${key.slice(0, -1)}`,
      `Bearer ${key}0`,
      `Bearer ${key.replace('live', 'test')}`,
      'Bearer ',
    ]) {
      expect(await me({ Authorization: value })).toBe(401);
    }
    expect(await me({ Authorization: [`Bearer ${key}`, `Bearer ${key}`] })).toBe(401);
    expect(await me({ Cookie: `key=${key}` })).toBe(401);
  });

  it('stops when revoked, on every process [K3]', async () => {
    const second = await startServer({}, server().databaseUrl);
    const { id, key } = await company.key();
    const clients = [new Client(server().url, key), new Client(second.url, key)];
    for (const client of clients) expect((await client.get('/me')).status).toBe(200);
    await execute(revokeApiKey, await systemContext(server().app, company.id), { key: id });
    for (const client of clients) {
      await expect.poll(async () => (await client.get('/me')).status, { timeout: 5_000 }).toBe(401);
    }
    await second.close();
  });

  it('stops to the second when it expires [K3]', async () => {
    const short = await company.client({
      expires_at: new Date(server().clock.now().getTime() + 60_000).toISOString(),
    });
    expect((await short.get('/me')).status).toBe(200);
    server().clock.advance(61_000);
    expect((await short.get('/me')).status).toBe(401);
  });

  it('answers /me 401 with both shapes', async () => {
    const answer = await new Client(server().url, 'svc_live_x|y').get('/me');
    expect(answer.status).toBe(401);
    expect(answer.body.message).toBeTypeOf('string');
    expect(answer.body.error).toMatchObject({ code: 'unauthenticated', type: 'authentication_error' });
  });
});
