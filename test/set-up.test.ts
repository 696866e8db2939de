import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCompany } from '../server/account/companies.ts';
import { ownerPassword, Page } from './support/page.ts';
import { startServer, type TestServer } from './support/server.ts';

const owner = {
  company: 'Acme',
  name: 'Olga Ortega',
  email: 'olga@example.com',
  password: ownerPassword,
  timezone: 'Europe/Lisbon',
  currency: 'EUR',
};

describe('an empty installation', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ SIGN_IN_ATTEMPTS: '1000' });
  });
  afterAll(() => server.close());

  it('lets exactly one of ten who come at once create the Owner', async () => {
    const page = () => new Page(server.url);
    expect((await page().send('GET', '/auth/state')).body.data).toEqual({
      set_up: true,
      mail: false,
      demo: [],
      passkeys: 'localhost',
    });
    expect((await page().step('/set-up', { ...owner, timezone: 'Mars/Base' })).body.error.param).toBe(
      'timezone',
    );
    expect((await page().step('/set-up', { ...owner, password: 'short' })).body.error.param).toBe('password');
    const pages = Array.from({ length: 10 }, page);
    const answers = await Promise.all(
      pages.map((one, n) => one.step('/set-up', { ...owner, email: `olga${n}@example.com` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
    const first = pages[answers.findIndex(({ status }) => status === 200)];
    const profile = (await first?.query('account.profile'))?.body.result.data.data;
    expect(profile).toMatchObject({ role: { key: 'owner' }, company: { name: 'Acme', currency: 'EUR' } });
    expect((await page().step('/set-up', owner)).status).toBe(409);
    expect((await page().send('GET', '/auth/state')).body.data.set_up).toBe(false);
  });
});

describe('guessing passwords', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ TRUST_PROXY: '1' });
    for (const name of ['ann', 'ben', 'cid', 'dan'])
      await createCompany(server.app, { name, ownerEmail: `${name}@example.com`, ownerPassword });
  });
  afterAll(() => server.close());

  const tryFrom = (address: string, name: string, password: string) =>
    new Page(server.url).step(
      '/sign-in',
      { email: `${name}@example.com`, password },
      { 'X-Forwarded-For': address },
    );

  it('is over for the account after five tries in a quarter of an hour, from wherever', async () => {
    for (let n = 1; n <= 5; n++)
      expect((await tryFrom(`192.0.2.${n}`, 'ann', 'wrong horse')).status).toBe(401);
    const refused = await tryFrom('192.0.2.99', 'ANN', ownerPassword);
    expect(refused.status).toBe(429);
    expect(refused.body.error.code).toBe('rate_limited');
    const after = Number(refused.headers.get('retry-after'));
    expect(after).toBeGreaterThan(800);
    expect(after).toBeLessThanOrEqual(900);
    expect((await tryFrom('192.0.2.99', 'ben', ownerPassword)).status).toBe(200);
    for (let n = 1; n <= 5; n++) await tryFrom(`192.0.2.${100 + n}`, 'nobody', 'wrong horse');
    expect((await tryFrom('192.0.2.120', 'nobody', 'wrong horse')).status).toBe(429);
  });

  it('is over for the address after five, whomever it tries', async () => {
    for (const name of ['ben', 'cid', 'dan', 'eve', 'fay'])
      expect((await tryFrom('198.51.100.1', name, 'wrong horse')).status).toBe(401);
    expect((await tryFrom('198.51.100.1', 'cid', ownerPassword)).status).toBe(429);
    expect((await tryFrom('198.51.100.2', 'cid', ownerPassword)).status).toBe(200);
  });

  it('counts tries that run at once, and forgets those that succeed', async () => {
    for (let n = 0; n < 12; n++)
      expect((await tryFrom('203.0.113.1', 'dan', ownerPassword)).status).toBe(200);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => tryFrom(`203.0.113.${n + 10}`, 'dan', 'wrong horse')),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
  });
});

describe('over https', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ PUBLIC_URL: 'https://desk.example.com' });
  });
  afterAll(() => server.close());

  it('the cookie is Secure and bound to the host', async () => {
    const page = new Page(server.url);
    const origin = { Origin: 'https://desk.example.com' };
    const answer = await page.step('/set-up', owner, origin);
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^__Host-parlour\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect((await page.query('account.profile', {}, origin)).status).toBe(200);
    expect((await page.step('/sign-out', {}, { Origin: server.url, 'Sec-Fetch-Site': '' })).status).toBe(403);
  });
});
