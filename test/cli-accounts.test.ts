import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { Client } from './support/client.ts';
import { expectConsistent } from './support/ledgers.ts';
import { useServer } from './support/server.ts';

const server = useServer();
// Each command is a process of its own.
vi.setConfig({ testTimeout: 120_000 });
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'parlour-cli-'));
let company = '';

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the program as a shell does, against the database of the test. */
function parlour(...args: string[]): Promise<Run> {
  return parlourOn(server().databaseUrl, ...args);
}

function parlourOn(databaseUrl: string, ...args: string[]): Promise<Run> {
  const main = path.resolve('server/main.ts');
  const env = { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: dataDir, LOG_LEVEL: 'info' };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

/** The one JSON value that a command prints: nothing before it and nothing after. */
async function json(...args: string[]) {
  const { code, stdout, stderr } = await parlour('--json', ...args);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }));

test('init writes settings to fill in, once, and brings the database to the schema', async () => {
  const settings = path.join(dataDir, 'settings.env');
  const made = { settings, created: true, applied: [] };
  expect(await json('init', '--settings', settings)).toEqual(made);
  expect(fs.readFileSync(settings, 'utf8')).toBe(fs.readFileSync('.env.example', 'utf8'));
  expect(fs.statSync(settings).mode & 0o777).toBe(0o600);
  fs.writeFileSync(settings, 'PORT=4100\n');
  expect(await json('init', '--settings', settings)).toEqual({ ...made, created: false });
  expect(fs.readFileSync(settings, 'utf8')).toBe('PORT=4100\n');
  const { code, stdout } = await parlour('--json', 'init', '--settings', path.join(dataDir, 'none', 'x'));
  expect([code, JSON.parse(stdout).error.message]).toEqual([1, expect.stringContaining('ENOENT')]);
});

test('a command line without a command is a mistake of usage, told in words', async () => {
  for (const args of [[], ['keys']]) {
    const { code, stdout } = await parlour('--json', ...args);
    expect([code, JSON.parse(stdout).error.message]).toEqual([
      2,
      expect.stringMatching(/^A command is missing/),
    ]);
  }
});

test('a database that is not there is told in words, without a stack', async () => {
  const { code, stdout, stderr } = await parlourOn('postgresql://a:b@127.0.0.1:1/c', '--json', 'migrate');
  expect(code).toBe(1);
  expect(JSON.parse(stdout).error.message).toContain('ECONNREFUSED');
  expect(stderr).not.toContain(' at ');
});

test('the demo fills an empty database once, and is found again', async () => {
  const demo = await json('demo');
  expect(Object.keys(demo)).toEqual(['company', 'name', 'owner', 'agents', 'keys', 'logins']);
  expect(demo.agents).toHaveLength(2);
  expect(demo.logins.map(({ role }: { role: string }) => role)).toEqual(['owner', 'admin', 'agent']);
  expect(fs.statSync(path.join(dataDir, 'demo.json')).mode & 0o777).toBe(0o600);
  expect(await json('demo')).toEqual(demo);
  await expectConsistent(server().app, demo.company);
  for (const key of [demo.keys.live, demo.keys.test]) {
    const { status, body } = await new Client(server().url, key).get('/me');
    expect([status, body.data.company.id]).toEqual([200, demo.company]);
  }
});

test('companies, agents and keys print their ids and nothing else', async () => {
  const owner = ['--owner-email', 'cli-owner@example.com', '--owner-password', 'correct horse'];
  const made = await json(
    'companies',
    'create',
    '--name',
    'Cli',
    ...owner,
    '--timezone',
    'Europe/Madrid',
    '--currency',
    'EUR',
  );
  expect(Object.keys(made)).toEqual(['company', 'owner']);
  company = made.company;
  const agent = await json(
    'agents',
    'create',
    '--company',
    company,
    '--email',
    'cli@example.com',
    '--name',
    'Cli',
  );
  expect(agent).toEqual({ id: expect.any(String), email: 'cli@example.com' });
  const options = ['--company', company, '--name', 'k', '--mode', 'live', '--user', 'cli@example.com'];
  const key = await json('keys', 'create', ...options, '--scopes', 'contacts.view,bookings.read');
  expect(Object.keys(key)).toEqual(['id', 'key']);
  expect(key.key).toMatch(/^svc_live_[0-9A-Z]{26}\|/);
  const [listed] = await json('keys', 'list', '--company', company);
  expect(listed).toMatchObject({ id: key.id, scopes: ['bookings.read', 'contacts.view'] });
  expect((await new Client(server().url, key.key).get('/me')).status).toBe(200);
  await json('keys', 'revoke', key.id);
  expect((await new Client(server().url, key.key).get('/me')).status).toBe(401);
});

test('a company that was closed is opened again', async () => {
  await server().app.pool.query('UPDATE companies SET closed_at = now() WHERE id = $1', [company]);
  expect(await json('companies', 'restore', company)).toEqual({ id: company, name: 'Cli' });
});

test('seed prints counts', async () => {
  const counts = [
    '--contacts',
    '5',
    '--conversations',
    '5',
    '--messages',
    '50',
    '--products',
    '2',
    '--orders',
    '2',
  ];
  expect(await json('seed', '--company', company, ...counts)).toEqual({
    contacts: 5,
    conversations: 5,
    messages: 50,
    products: 2,
    orders: 2,
  });
});

const keyOptions = ['--name', 'k', '--mode', 'live'];
test.each<[string, number, RegExp, (id: string) => string[]]>([
  ['unknown company', 1, /no company 01/, () => ['keys', 'list', '--company', '01JQZ7K3M9V5T2XH8C4B6N0DFG']],
  ['unknown key', 1, /no key 01/, () => ['keys', 'revoke', '01JQZ7K3M9V5T2XH8C4B6N0DFG']],
  [
    'taken e-mail',
    1,
    /already/,
    (id) => ['agents', 'create', '--company', id, '--email', 'CLI@example.com', '--name', 'x'],
  ],
  ['missing option', 2, /required option/, () => ['companies', 'create', '--name', 'x']],
  [
    'unknown scope',
    2,
    /--scopes/,
    (id) => ['keys', 'create', '--company', id, ...keyOptions, '--scopes', 'all'],
  ],
  ['no scope', 2, /--scopes/, (id) => ['keys', 'create', '--company', id, ...keyOptions, '--scopes', ' , ']],
  [
    'unknown role',
    2,
    /--role/,
    (id) => [
      'agents',
      'create',
      '--company',
      id,
      '--email',
      'y@example.com',
      '--name',
      'y',
      '--role',
      'boss',
    ],
  ],
  ['no number', 2, /whole number/, (id) => ['seed', '--company', id, '--messages', 'many']],
  ['nothing to belong to', 2, /need products/, (id) => ['seed', '--company', id, '--products', '0']],
])('%s ends with %i and says why', async (_, code, message, args) => {
  const run = await parlour(...args(company));
  expect(run.stderr).toMatch(message);
  expect([run.code, run.stdout]).toEqual([code, '']);
});
