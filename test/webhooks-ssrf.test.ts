import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServer, type Server } from 'node:net';
import { AddressRefused, allowedAddresses, parseTarget, portOf } from '../server/webhooks/address.ts';
import { WebhookClient } from '../server/webhooks/request.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { createEndpoint, settled } from './support/webhooks.ts';

const server = useServer();
const strict = { allowCidrs: [], allowHttp: true };
let company: TestCompany;
/** Whoever connects, on any port it listens on. */
let connections = 0;
let listener: Server;
let port: number;

beforeAll(async () => {
  company = await server().company();
  listener = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, '::', resolve));
  port = (listener.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => listener.close(resolve)));

/** Spellings of this machine, of private networks and of metadata services. */
const hosts = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.0x0.0x0.0x1',
  '0x7f.1',
  '017700000001',
  '0177.0.0.1',
  '0177.0.0.01',
  '00000177.0.0.1',
  '0',
  '0.0.0.0',
  '0x0',
  '127.0.0.1.',
  '１２７.０.０.１',
  '127。0。0。1',
  '①②⑦.⓪.⓪.①',
  '%31%32%37.0.0.1',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'deep.localhost',
  'ｌｏｃａｌｈｏｓｔ',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[0000::0001]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fec0::1]',
  '[fd00::1]',
  '[ff02::1]',
  '[fd00:ec2::254]',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '169.16689662',
  '[::ffff:169.254.169.254]',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
];

const client = new WebhookClient(strict, { connect: 1_000, total: 2_000 });
afterAll(() => client.close());

async function savedAs(text: string): Promise<'refused' | 'saved'> {
  try {
    const url = parseTarget(text, strict);
    await allowedAddresses(url.hostname.replace(/^\[|\]$/g, ''), portOf(url), strict);
    return 'saved';
  } catch (error) {
    if (error instanceof AddressRefused) return 'refused';
    throw error;
  }
}

describe('forbidden addresses', () => {
  it('are at least 40 spellings', () => expect(new Set(hosts).size).toBeGreaterThanOrEqual(40));

  it.each(hosts)('%s is refused when saved and when sent to, on every port [W14]', async (host) => {
    const before = connections;
    for (const text of [`https://${host}/`, `http://${host}:${port}/`, `https://${host}:8443/`]) {
      expect(await savedAs(text), text).toBe('refused');
      expect(await client.post(text, {}, Buffer.from('{}')), text).toMatchObject({ error: 'blocked' });
    }
    expect(connections).toBe(before);
  });

  it('are refused although the name led elsewhere when it was saved [W14]', async () => {
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    const resolve = async () => answers.shift() ?? ['127.0.0.1'];
    const rebound = new WebhookClient(strict, { connect: 1_000, total: 2_000 }, resolve);
    expect(await allowedAddresses('rebinding.example', 443, strict, resolve)).toEqual(['93.184.216.34']);
    const before = connections;
    for (const text of ['https://rebinding.example/', 'https://rebinding.example:8443/']) {
      expect(await rebound.post(text, {}, Buffer.from('{}'))).toMatchObject({ error: 'blocked' });
    }
    expect(connections).toBe(before);
    rebound.close();
  });

  it('are refused when they stand beside a public one', async () => {
    const resolve = async () => ['93.184.216.34', '::1'];
    await expect(allowedAddresses('mixed.example', 443, strict, resolve)).rejects.toThrow(AddressRefused);
  });

  it('are not reached by a redirect [W14]', async () => {
    const before = connections;
    const redirecting = http.createServer((_request, response) =>
      response.writeHead(302, { Location: `http://127.0.0.1:${port}/` }).end(),
    );
    await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
    const allowed = new WebhookClient({ allowCidrs: ['127.0.0.0/8'], allowHttp: true });
    const target = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}/`;
    expect(await allowed.post(target, {}, Buffer.from('{}'))).toMatchObject({
      status: 302,
      error: 'redirect',
    });
    expect(connections).toBe(before);
    allowed.close();
    redirecting.close();
  });
});

describe('the rules of a URL', () => {
  const policy = { allowCidrs: [], allowHttp: false };
  it.each([
    ['https://example.com/hook', true],
    ['https://example.com:8443/hook', true],
    ['https://93.184.216.34/hook', true],
    ['https://[2606:2800:220:1::1]/', true],
    [`https://example.com/${'a'.repeat(2048 - 20)}`, true],
    [`https://example.com/${'a'.repeat(2048 - 19)}`, false],
    ['http://example.com/', false],
    ['https://user@example.com/', false],
    ['https://user:password@example.com/', false],
    ['https://example.com:444/', false],
    ['https://example.com:80/', false],
    ['ftp://example.com/', false],
    ['javascript:alert(1)', false],
    ['//example.com/', false],
    ['no url', false],
  ])('%s: %s [W16]', (text, good) => {
    const parse = () => parseTarget(text, policy);
    if (good) expect(parse()).toBeInstanceOf(URL);
    else expect(parse).toThrow(AddressRefused);
  });

  it('the operator opens every port of a network, and only of that', async () => {
    const open = { allowCidrs: ['10.1.0.0/16', 'fd00::/8', '127.0.0.1'], allowHttp: true };
    expect(parseTarget('http://10.1.2.3:8080/', open).port).toBe('8080');
    expect(parseTarget('http://[fd00::5]:9000/', open).port).toBe('9000');
    expect(parseTarget('http://[::ffff:10.1.2.3]:9000/', open).port).toBe('9000');
    for (const text of ['http://10.2.0.1:8080/', 'http://127.0.0.2/', 'https://93.184.216.34:8080/'])
      expect(() => parseTarget(text, open), text).toThrow(AddressRefused);
    const resolve = (...addresses: string[]) =>
      allowedAddresses('a.example', 8080, open, async () => addresses);
    await expect(resolve('93.184.216.34')).rejects.toThrow(AddressRefused);
    expect(await resolve('10.1.2.3', '192.168.0.1')).toEqual(['10.1.2.3']);
  });
});

describe('an endpoint', () => {
  it('at a forbidden address is refused with a reason, also on update', async () => {
    await expect(
      createEndpoint(server(), company, { url: 'https://169.254.169.254/' }),
    ).rejects.toMatchObject({
      code: 'validation_failed',
      param: 'url',
      details: [{ code: 'not_allowed', message: expect.stringContaining('private') }],
    });
  });

  it('that came to stand at one is not sent to, and nothing of an answer is kept [W15]', async () => {
    const { id } = await createEndpoint(server(), company, { url: 'https://93.184.216.34/' });
    await server().app.pool.query('UPDATE webhook_endpoints SET url = $1 WHERE id = $2', [
      `https://127.0.0.1:${port}/`,
      id,
    ]);
    const before = connections;
    await (await company.client()).post('/contacts', { name: 'Ana' });
    const [row] = await settled(server(), company);
    expect(row).toMatchObject({ status: 'retrying', last_error: 'blocked', last_status: null });
    const { rows } = await server().app.pool.query(
      'SELECT response_body, response_headers, error_message FROM webhook_attempts WHERE company_id = $1',
      [company.id],
    );
    expect(rows).toEqual([
      {
        response_body: null,
        response_headers: null,
        error_message: 'Must not lead to a private or reserved network.',
      },
    ]);
    expect(connections).toBe(before);
  });
});
