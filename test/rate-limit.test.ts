import { describe, expect, it } from 'vitest';
import { networkOf } from '../server/http/rate-limit.ts';
import { Client } from './support/client.ts';
import { startServer, useServer } from './support/server.ts';
import { flight } from './support/shop.ts';

const server = useServer({
  RATE_LIMIT_PER_MINUTE: '120',
  RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE: '60',
  TRUST_PROXY: '1',
});

describe('a key', () => {
  it('has 120 requests a minute, exactly, in any spelling [K6]', async () => {
    const company = await server().company();
    const client = await company.client();
    const spellings = ['Bearer ', 'bearer ', 'Bearer  '];
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        client.request('GET', '/me', { headers: { Authorization: `${spellings[n % 3]}${client.key}` } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(120);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(180);
    for (const { headers, body } of refused) {
      expect(body.error).toMatchObject({ code: 'rate_limited', type: 'rate_limit_error' });
      expect(headers.get('x-ratelimit-limit')).toBe('120');
      expect(headers.get('x-ratelimit-remaining')).toBe('0');
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    }
    const other = await company.client();
    const fresh = await other.get('/me');
    expect(fresh.headers.get('x-ratelimit-remaining')).toBe('119');
    expect(fresh.headers.get('retry-after')).toBe('0');
  });

  it('spends as many as a tRPC batch has operations [K9, G8]', async () => {
    const client = await (await server().company()).client();
    const batch = Array.from({ length: 10 }, () => 'account.me').join(',');
    const input = encodeURIComponent(
      JSON.stringify(Object.fromEntries(Array.from({ length: 10 }, (_, n) => [n, {}]))),
    );
    const response = await fetch(`${server().url}/trpc/${batch}?batch=1&input=${input}`, {
      headers: { Authorization: `Bearer ${client.key}` },
    });
    expect(response.status).toBe(200);
    expect((await client.get('/me')).headers.get('x-ratelimit-remaining')).toBe('109');
    const eleven = await fetch(`${server().url}/trpc/${batch},account.me?batch=1&input=${input}`, {
      headers: { Authorization: `Bearer ${client.key}` },
    });
    expect(eleven.status).toBe(400);
    const escaped = await fetch(
      `${server().url}/trpc/${`${batch},account.me`.replaceAll(',', '%2C')}?batch=1`,
      { headers: { Authorization: `Bearer ${client.key}` } },
    );
    expect(escaped.status).toBe(400);
  });
});

describe('several processes', () => {
  it('four of them count together: exactly 120 of 500 calls pass [K5]', async () => {
    const variables = { WEB_CONCURRENCY: '4', RATE_LIMIT_PER_MINUTE: '120' };
    const first = await startServer(variables);
    const others = [];
    for (let n = 0; n < 3; n++) others.push(await startServer(variables, first.databaseUrl));
    const { key } = await (await first.company()).key();
    const clients = [first, ...others].map(({ url }) => new Client(url, key));
    const answers = await flight(500, 500, (n) => clients[n % clients.length]!.get('/me'));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(120);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(380);
    for (const one of [...others, first]) await one.close();
  });
});

describe('when the shared store fails', () => {
  it('each process goes on at the same limit, and says so in its metrics [K10]', async () => {
    const alone = await startServer({ WEB_CONCURRENCY: '2', RATE_LIMIT_PER_MINUTE: '120' });
    const client = await (await alone.company()).client();
    await alone.app.pool.query('DROP TABLE rate_limits');
    const answers = await Promise.all(Array.from({ length: 200 }, () => client.get('/me')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(120);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(80);
    const metrics = await (await fetch(`${alone.url}/metrics`)).text();
    expect(metrics).toMatch(/^parlour_rate_limit_fallbacks_total 200$/m);
    await alone.close();
  });
});

describe('without a valid key', () => {
  it('an address has 60 requests a minute, then 429; valid keys from it go on', async () => {
    const valid = await (await server().company()).client();
    const nobody = new Client(server().url, 'svc_live_nobody|secret');
    const from = { 'X-Forwarded-For': '203.0.113.7' };
    const statuses = [];
    for (let n = 0; n < 62; n++)
      statuses.push((await nobody.request('GET', '/contacts', { headers: from })).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(60);
    expect(statuses.slice(60)).toEqual([429, 429]);
    expect((await valid.request('GET', '/me', { headers: from })).status).toBe(200);
    expect(
      (await nobody.request('GET', '/me', { headers: { 'X-Forwarded-For': '203.0.113.8' } })).status,
    ).toBe(401);
  });
});

describe('an address', () => {
  it('is the IPv4 address in every spelling, and the /64 of IPv6 [K7]', () => {
    expect(networkOf('::ffff:1.2.3.4')).toBe('1.2.3.4');
    expect(networkOf('::ffff:102:304')).toBe('1.2.3.4');
    expect(networkOf('2001:db8::1')).toBe(networkOf('2001:DB8:0:0:ffff::2'));
    expect(networkOf('2001:db8:0:1::1')).not.toBe(networkOf('2001:db8::1'));
    expect(networkOf(undefined)).toBe('unknown');
  });
});
