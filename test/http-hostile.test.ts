import { beforeAll, describe, expect, it } from 'vitest';
import { Client } from './support/client.ts';
import { restProcedures } from './support/procedures.ts';
import { startServer, type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;

beforeAll(async () => {
  company = await server().company();
});

describe('without a valid key no body is read [F11]', () => {
  const bodies: [string, string, string][] = [
    ['broken JSON', 'application/json', '{'],
    ['two megabytes', 'application/json', `{"name":"${'x'.repeat(2_000_000)}"}`],
    ['a broken form', 'multipart/form-data; boundary=x', '--x\r\n'],
    ['a type that nobody reads', 'application/xml', '<xml/>'],
  ];

  it.each(bodies)('%s', async (_what, type, raw) => {
    const writes = restProcedures
      .filter(({ operation }) => operation.kind === 'mutation')
      .filter((_, n) => raw.length < 1_000_000 || n % 10 === 0);
    const nobody = new Client(server().url, null);
    for (const { name, rest } of writes) {
      const path = rest.path.replaceAll(/\{\w+\}/g, 'x');
      const answer = await nobody.request(rest.method, path, { raw, headers: { 'Content-Type': type } });
      expect([name, answer.status, answer.body.error.code]).toEqual([name, 401, 'unauthenticated']);
    }
    for (const path of ['/graphql', '/trpc/contacts.create']) {
      const response = await fetch(`${server().url}${path}`, {
        method: 'POST',
        body: raw,
        headers: { 'Content-Type': type },
      });
      expect([path, response.status]).toEqual([path, 401]);
    }
  });
});

describe('an address that others claim to be [K7]', () => {
  it('is not believed by a server without a proxy: no new budget', async () => {
    const alone = await startServer({ RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE: '10', TRUST_PROXY: '0' });
    try {
      const nobody = new Client(alone.url, null);
      const statuses: number[] = [];
      for (let n = 0; n < 30; n++) {
        const headers = { 'X-Forwarded-For': `203.0.113.${n}, ::ffff:198.51.100.${n}` };
        statuses.push((await nobody.request('GET', '/contacts', { headers })).status);
      }
      // A window may have ended meanwhile, and another one begun.
      expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(20);
    } finally {
      await alone.close();
    }
  });
});

it('headers keep browsers from guessing, framing and telling others [K14]', async () => {
  const key = await company.client();
  const headers = async (path: string) => {
    const answer = await fetch(`${server().url}${path}`, {
      headers: { Authorization: `Bearer ${key.key}`, Origin: 'https://elsewhere.example' },
    });
    await answer.arrayBuffer();
    return answer.headers;
  };
  for (const path of ['/livez', '/api/v1/me', '/graphql', '/trpc/account.me', '/nothing']) {
    const got = await headers(path);
    const policy = String(got.get('content-security-policy'));
    expect(policy, path).toContain("frame-ancestors 'none'");
    expect(policy, path).not.toContain('unsafe-inline');
    expect(policy, path).not.toContain('unsafe-eval');
    expect(got.get('x-content-type-options'), path).toBe('nosniff');
    expect(got.get('referrer-policy'), path).toBe('no-referrer');
    expect(got.get('strict-transport-security'), path).toMatch(/^max-age=\d{8}/);
    expect(got.get('x-powered-by'), path).toBeNull();
    expect(got.get('access-control-allow-origin'), path).toBeNull();
  }
});

it('what is unique in a company may be had by another one [T12]', async () => {
  const [one, other] = [await company.client(), await (await server().company()).client()];
  const same: [string, object][] = [
    ['/contacts', { email: 'unique@example.com' }],
    ['/contacts', { phone: '+351912000999' }],
    ['/products', { name: 'Mug', price: 1, sku: 'unique' }],
    ['/tags', { name: 'unique' }],
    ['/quick-replies', { shortcut: 'unique', text: 'Hello' }],
  ];
  for (const [path, body] of same)
    for (const api of [one, other]) expect([path, (await api.post(path, body)).status]).toEqual([path, 201]);
  for (const api of [one, other]) {
    const contact = (await api.get('/contacts')).body.data[0].id;
    const items = [{ name: 'Mug', unit_price: 1, quantity: 1 }];
    expect((await api.post('/orders', { contact, items, external_id: 'unique' })).status).toBe(201);
  }
});
