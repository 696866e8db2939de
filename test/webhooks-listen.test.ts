import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runProgram } from '../server/cli/program.ts';
import type { Client } from './support/client.ts';
import { startReceiver } from './support/receiver.ts';
import { type TestCompany, testSecret, useServer } from './support/server.ts';
import { verifyWebhook } from './support/verify-webhook.ts';

const server = useServer();
const children: ChildProcess[] = [];
let company: TestCompany;
let api: Client;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
});
afterAll(() => children.forEach((child) => child.kill('SIGKILL')));

/** A process that listens; resolves once it does. */
async function listen(args: string[]) {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: server().databaseUrl,
    DATA_DIR: server().app.config.dataDir,
    SECRET: testSecret,
    LOG_LEVEL: 'silent',
  };
  const command = [path.resolve('server/main.ts'), ...args, '--company', company.id];
  const child = spawn(process.execPath, command, { env });
  children.push(child);
  const output = text(child.stdout);
  const ended = once(child, 'exit').then(async ([code]) => ({ code: code as number, output: await output }));
  let told = '';
  for await (const chunk of child.stderr) {
    told += String(chunk);
    if (told.includes('Listening.')) break;
  }
  return { child, told, ended };
}

it('events of the company are posted to a server of one’s own, signed', async () => {
  const receiver = await startReceiver();
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const { ended } = await listen([
    '--json',
    'webhooks',
    'listen',
    '--events=contact.created',
    '--count=2',
    `--forward-to=${receiver.url}`,
    `--secret=${secret}`,
  ]);
  const other = await server().company();
  await (await other.client()).post('/contacts', { name: 'Of another company' });
  const { id } = (await api.post('/contacts', { name: 'One' })).body.data;
  await api.patch(`/contacts/${id}`, { name: 'Not asked for' });
  await api.post('/contacts', { name: 'Two' });
  const { code, output } = await ended;
  const { events } = JSON.parse(output);
  expect([code, events.map(({ type, answer }: { type: string; answer: object }) => [type, answer])]).toEqual([
    0,
    [
      ['contact.created', { status: 200 }],
      ['contact.created', { status: 200 }],
    ],
  ]);
  expect(receiver.received.map(({ event }) => event.data.object.name)).toEqual(['One', 'Two']);
  for (const { body, headers } of receiver.received)
    expect(verifyWebhook(body, headers['x-service-signature'] ?? '', secret)).toBe(true);
  await receiver.close();
}, 120_000);

it('a receiver that is not there is told of, and Ctrl-C ends it well', async () => {
  const gone = await startReceiver();
  await gone.close();
  const { child, told, ended } = await listen(['webhooks', 'listen', '--forward-to', gone.url]);
  expect(told).toMatch(/signed with whsec_/);
  const { id } = (await api.post('/contacts', { name: 'Three' })).body.data;
  await api.patch(`/contacts/${id}`, { name: 'Four' });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.kill('SIGINT');
  const { code, output } = await ended;
  expect(code).toBe(0);
  expect(output).toMatch(/^contact\.created {2}\w+ {2}.*ECONNREFUSED/);
}, 120_000);

it.each([
  [['--forward-to', 'ftp://example.com'], 'http or https'],
  [['--events', 'contact.made'], 'no event contact.made'],
  [['--count', '0'], 'whole number'],
])('%s is a mistake of usage', async (args, message) => {
  let printed = '';
  const command = ['--json', 'webhooks', 'listen', '--company', company.id, ...args];
  expect(await runProgram(command, (more) => (printed += more))).toBe(2);
  expect(JSON.parse(printed).error.message).toContain(message);
});
