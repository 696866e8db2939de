import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createParlour, each, ParlourError, verifyWebhook } from '../schema/sdk/index.ts';
import { startReceiver } from './support/receiver.ts';
import { compile, installSdk } from './support/sdk-package.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let key: string;

beforeAll(async () => {
  company = await server().company();
  ({ key } = await company.key());
});

const client = () => createParlour({ baseUrl: server().url, key });
const refused = async (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

describe('the client', () => {
  it('makes, reads and changes records', async () => {
    const parlour = client();
    const { data: made, response } = await parlour.contacts.create({ body: { name: 'Ana Sousa' } });
    expect(response.status).toBe(201);
    const contact = made.data.id;
    await parlour.contacts.update({ path: { contact }, body: { name: 'Ana Dias' } });
    const { data: read } = await parlour.contacts.show({ path: { contact } });
    expect(read.data.name).toBe('Ana Dias');
    const file = new File(['name\nAna\n'], 'names.csv', { type: 'text/csv' });
    const { data: upload } = await parlour.media.upload({ body: { file } });
    expect(upload.data.mime_type).toBe('text/csv');
  });

  it('goes over all pages', async () => {
    const parlour = client();
    for (let at = 0; at < 5; at++) await parlour.tags.create({ body: { name: `Tag ${at}` } });
    const names: string[] = [];
    for await (const tag of each((query) => parlour.tags.list({ query }), { q: 'Tag ', limit: 2 }))
      names.push(tag.name);
    expect(names).toEqual(['Tag 0', 'Tag 1', 'Tag 2', 'Tag 3', 'Tag 4']);
  });

  it('throws errors with the code, the field and the request id', async () => {
    const parlour = client();
    const error = await refused(parlour.contacts.create({ body: { email: 'no address' } }));
    expect(error).toBeInstanceOf(ParlourError);
    expect(error).toMatchObject({ status: 422, code: 'validation_failed', param: 'email' });
    expect((error as ParlourError).details[0]?.code).toBe('format');
    expect((error as ParlourError).requestId).toMatch(/^[0-9A-Z]{26}$/);
    const stranger = createParlour({ baseUrl: server().url, key: 'svc_live_x|y' });
    expect(await refused(stranger.account.me())).toMatchObject({ code: 'unauthenticated', status: 401 });
  });
});

describe('what fails for a while', () => {
  const stand = async () => {
    const receiver = await startReceiver();
    const options = { baseUrl: receiver.url.replace('/hook', ''), key: 'svc_test_1|x' };
    return { receiver, parlour: createParlour(options), options };
  };

  it('is tried again with the same Idempotency-Key', async () => {
    const { receiver, parlour } = await stand();
    const statuses = [503, 429, 201];
    receiver.answer((response) => {
      response.writeHead(statuses[receiver.received.length - 1] ?? 500, {
        'Content-Type': 'application/json',
      });
      response.end('{"data": {"id": "1"}}');
    });
    const { data } = await parlour.tags.create({ body: { name: 'Once' } });
    expect(data.data.id).toBe('1');
    const keys = receiver.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(receiver.received.map(({ event }) => event)).toEqual(keys.map(() => ({ name: 'Once' })));
    await receiver.close();
  });

  it('is given up after the retries, and at once where it could be done twice', async () => {
    const { receiver, options } = await stand();
    receiver.answer(500);
    const parlour = createParlour({ ...options, retries: 1 });
    expect(await refused(parlour.account.me())).toMatchObject({ code: 'server_error', status: 500 });
    expect(receiver.received).toHaveLength(2);
    const booking = { title: 'Fitting', starts_at: '2026-03-02T10:00:00Z' };
    expect(await refused(parlour.bookings.create({ body: booking }))).toMatchObject({ status: 500 });
    expect(receiver.received).toHaveLength(3);
    expect(receiver.received[2]?.headers['idempotency-key']).toBeUndefined();
    await receiver.close();
  });

  it('ends when the caller says so, or an attempt takes too long', async () => {
    const { receiver, parlour, options } = await stand();
    receiver.answer(() => {});
    const control = new AbortController();
    const call = refused(parlour.account.me({ signal: control.signal }));
    await receiver.until(1);
    control.abort();
    expect(await call).toMatchObject({ name: 'AbortError' });
    const hasty = createParlour({ ...options, timeout: 50, retries: 0 });
    expect(await refused(hasty.account.me())).toMatchObject({ name: 'TimeoutError' });
    await receiver.close();
  });
});

it('verifyWebhook accepts what was signed, and nothing that was changed or is old', async () => {
  const body = '{"type":"contact.created"}';
  const now = Math.floor(Date.now() / 1000);
  const signed = (t: number) =>
    `t=${t},v1=${createHmac('sha256', 'whsec_x').update(`${t}.${body}`).digest('hex')}`;
  expect(await verifyWebhook(body, signed(now), 'whsec_x')).toBe(true);
  expect(await verifyWebhook(Buffer.from(body), `${signed(now)},v1=${'0'.repeat(64)}`, 'whsec_x')).toBe(true);
  for (const [raw, header, secret] of [
    [`${body} `, signed(now), 'whsec_x'],
    [body, signed(now - 3600), 'whsec_x'],
    [body, signed(now + 3600), 'whsec_x'],
    [body, signed(now), 'whsec_y'],
    [body, signed(now).slice(0, -1), 'whsec_x'],
    [body, signed(now).replace('v1=', 'v0='), 'whsec_x'],
    [body, null, 'whsec_x'],
  ] as const)
    expect(await verifyWebhook(raw, header, secret), String(header)).toBe(false);
});

describe('a project of somebody else', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parlour-consumer-'));
  const programs: Record<string, string> = {
    'packed.ts': `import { createParlour, type Contact } from '@parlour/client';
const parlour = createParlour({ baseUrl: String(process.env['PARLOUR_URL']), key: String(process.env['PARLOUR_KEY']) });
const { data } = await parlour.contacts.create({ body: { name: 'Packed' } });
const contact: Contact = data.data;
// @ts-expect-error -- there is no such field
void contact.nickname;
console.log(contact.name);
`,
    'openapi-fetch.ts': `import createClient from 'openapi-fetch';
import type { paths } from './parlour.d.ts';
const client = createClient<paths>({
  baseUrl: String(process.env['PARLOUR_URL']),
  headers: { Authorization: \`Bearer \${process.env['PARLOUR_KEY']}\` },
});
const { data, error } = await client.POST('/api/v1/contacts', { body: { name: 'Fetched' } });
if (error) throw new Error(error.error.code);
const { data: again } = await client.GET('/api/v1/contacts/{contact}', { params: { path: { contact: data.data.id } } });
// @ts-expect-error -- there is no such path
void (() => client.GET('/api/v1/nothing'));
console.log(again?.data.name);
`,
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        module: 'nodenext',
        target: 'es2022',
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        allowImportingTsExtensions: true,
        types: ['node'],
      },
      include: ['*.ts'],
    }),
    'package.json': '{"type": "module"}',
  };
  afterAll(() => rmSync(folder, { recursive: true }));

  it('type-checks and runs with the packed client, and with openapi-fetch', async () => {
    installSdk(folder, ['openapi-fetch', 'openapi-typescript-helpers', '@types/node', 'undici-types']);
    for (const [name, text] of Object.entries(programs)) writeFileSync(path.join(folder, name), text);
    const api = path.resolve('test/support/typescript-api.ts');
    const generator = path.resolve('node_modules/openapi-typescript/bin/cli.js');
    const types = [path.resolve('schema/openapi.json'), '-o', path.join(folder, 'parlour.d.ts')];
    await promisify(execFile)(process.execPath, ['--import', api, generator, ...types]);
    compile(folder, ['-p', '.']);
    const env = { ...process.env, PARLOUR_URL: server().url, PARLOUR_KEY: key };
    // Not waited for in one go: the server that answers them is in this process.
    const run = async (name: string) =>
      (await promisify(execFile)(process.execPath, [name], { cwd: folder, env })).stdout.trim();
    expect([await run('packed.ts'), await run('openapi-fetch.ts')]).toEqual(['Packed', 'Fetched']);
  });
});
