import { execFile } from 'node:child_process';
import path from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { writeDemoFile } from '../server/demo/file.ts';
import { customerWrites } from '../server/demo/traffic.ts';
import type { Client } from './support/client.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { settled } from './support/simulator.ts';

const server = useServer();
// Each command is a process of its own.
vi.setConfig({ testTimeout: 120_000 });
let company: TestCompany;
let api: Client;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
});

function parlour(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = {
    ...process.env,
    DATABASE_URL: server().databaseUrl,
    DATA_DIR: server().app.config.dataDir,
    LOG_LEVEL: 'error',
  };
  const command = [path.resolve('server/main.ts'), '--json', ...args, '--company', company.id];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

async function json(...args: string[]) {
  const { code, stdout, stderr } = await parlour(...args);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

test('a channel is made, a customer writes, is answered, and the outbox shows what they received', async () => {
  const config = JSON.stringify({ delays: { sent: 0, delivered: 0, read: 0 } });
  const channel = await json(
    'channels',
    'create',
    '--kind',
    'simulator',
    '--name',
    'Shop',
    '--config',
    config,
  );
  expect(channel).toEqual({ id: expect.stringMatching(/^\w{26}$/), kind: 'simulator' });
  const written = ['simulate', 'inbound', '--from', '+351912000001', '--name', 'Ana', '--text', 'Hi'];
  const first = await json(...written, '--channel', 'shop', '--provider-id', 'x-1');
  expect(Object.keys(first)).toEqual(['message', 'conversation', 'contact']);
  expect(await json(...written, '--provider-id', 'x-1')).toEqual(first);
  const third = await json(...written, '--count', '3');
  expect(third.conversation).toBe(first.conversation);
  const { data } = (await api.get(`/conversations/${first.conversation}`)).body;
  expect(data).toMatchObject({ unread_count: 4, contact: { name: 'Ana', phone: '+351912000001' } });
  const answer = (await api.post('/messages', { conversation: first.conversation, text: 'Hello Ana' })).body
    .data;
  await settled(server().app, company.id);
  expect(await json('simulate', 'outbox')).toMatchObject([
    {
      message: answer.id,
      channel: 'Shop',
      to: '+351912000001',
      type: 'text',
      text: 'Hello Ana',
      outcome: 'read',
    },
  ]);
});

test('a wrong number, count or configuration is a mistake of usage', async () => {
  const inbound = ['simulate', 'inbound', '--text', 'x'];
  for (const args of [
    [...inbound, '--from', 'nobody'],
    [...inbound, '--from', '+351912000002', '--count', '0'],
    ['channels', 'create', '--kind', 'simulator', '--name', 'x', '--config', '{'],
    ['channels', 'create', '--kind', 'pigeon', '--name', 'x'],
  ])
    expect((await parlour(...args)).code, args.join(' ')).toBe(2);
  expect((await parlour(...inbound, '--from', '+351912000002', '--channel', 'none')).code).toBe(1);
});

test('the customers of the demo company write on their own, and of no other', async () => {
  const { app } = server();
  expect(await customerWrites(app)).toBe(false);
  const demo = await server().company();
  const client = await demo.client();
  await client.post('/contacts', { name: 'Rita', phone: '+351912000009' });
  const startedAt = new Date().toISOString();
  writeDemoFile(app.config, {
    company: { id: demo.id, name: 'Demo' },
    startedAt,
    logins: [],
    complete: true,
  });
  expect(await customerWrites(app)).toBe(true);
  const [thread] = (await client.get('/conversations')).body.data;
  expect(thread).toMatchObject({ contact: { name: 'Rita' }, unread_count: 1 });
});
