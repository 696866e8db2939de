import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runProgram } from '../server/cli/program.ts';
import { examine } from '../server/doctor/examine.ts';
import { seedCompany } from '../server/seed/seed.ts';
import { Client } from './support/client.ts';
import { connect } from './support/connect.ts';
import { reached } from './support/reached.ts';
import { createTestDatabase } from './support/postgres.ts';
import { startServer, type TestCompany, testSecret, useServer } from './support/server.ts';
import { addSimulator } from './support/simulator.ts';

const server = useServer();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parlour-backup-'));
const file = path.join(folder, 'all.backup.gz');
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
let company: TestCompany;
let api: Client;
let told: { rows: number; jobs: number; files: number };

/** Runs a command over a database, with the data folder of some installation. */
async function parlour(args: string[], databaseUrl: string, dataDir: string, secret = testSecret) {
  const given = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    SECRET: secret,
    DEMO: '0',
    LOG_LEVEL: 'silent',
  };
  const before = { ...process.env };
  Object.assign(process.env, given);
  let printed = '';
  try {
    const code = await runProgram(['--json', ...args], (text) => (printed += text));
    return { code, body: JSON.parse(printed) };
  } finally {
    for (const name of Object.keys(given)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}

/** Every row of every table, as one sum for each. */
async function sums(databaseUrl: string): Promise<Record<string, string>> {
  const client = await connect(databaseUrl);
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
       AND relname NOT IN ('_prisma_migrations') AND relpersistence = 'p' ORDER BY 1`,
  );
  const all: Record<string, string> = {};
  for (const { name } of rows) {
    const { rows: sum } = await client.query<{ sum: string }>(
      `SELECT count(*) || ':' || coalesce(md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))), '') AS sum
       FROM "${name}" t`,
    );
    all[name] = sum[0]!.sum;
  }
  await client.end();
  return all;
}

async function emptyInstallation() {
  const database = await createTestDatabase({ migrated: false });
  return { database, dataDir: fs.mkdtempSync(path.join(folder, 'data-')) };
}

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  await addSimulator(server().app, company.id);
  const counts = { contacts: 50, conversations: 40, messages: 400, products: 10, orders: 30 };
  await seedCompany(server().databaseUrl, { companyId: company.id, seed: 'backup', ...counts });
  await api.post('/contacts', { name: 'Tab\tand\nline \\N \\. 🙂', phone: '+351912345678' });
  const form = new FormData();
  form.set('file', new Blob([picture], { type: 'image/png' }), 'a.png');
  const headers = { Authorization: `Bearer ${api.key}` };
  const answer = await fetch(`${server().url}/api/v1/media`, { method: 'POST', body: form, headers });
  expect(answer.status).toBe(201);
  await server().app.jobs.enqueue(
    'messages.release',
    { companyId: company.id, conversationId: '01M8H8W81T786Q5C19VR900MXW' },
    { startAfter: new Date(Date.now() + 86_400_000) },
  );
  const saved = await parlour(['backup', file], server().databaseUrl, server().app.config.dataDir);
  expect(saved.code).toBe(0);
  told = saved.body;
}, 120_000);
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

it('holds every row, what waits and every file, and is for its owner alone to read', async () => {
  expect(told).toMatchObject({ rows: expect.any(Number), files: 1 });
  expect(told.rows).toBeGreaterThan(500);
  expect(told.jobs).toBeGreaterThanOrEqual(1);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  expect(fs.existsSync(`${file}.part`)).toBe(false);
});

it('brought back into an empty database, all is as it was, and the house goes on [D13]', async () => {
  const { database, dataDir } = await emptyInstallation();
  const before = await sums(server().databaseUrl);
  const start = performance.now();
  const restored = await parlour(['restore', file], database.url, dataDir);
  const seconds = (performance.now() - start) / 1000;
  expect(restored).toEqual({ code: 0, body: { rows: told.rows, jobs: told.jobs, files: told.files } });
  const after = await sums(database.url);
  // The offset of the events' numbers belongs to the cluster; requests are noted, audit entries sealed and events
  // handed to webhooks a moment after the calls that made them, maybe after the copy was taken.
  const moving = new Set(['event_epoch', 'event_cursors', 'request_logs', 'audit_logs', 'audit_chains']);
  const differing = Object.keys(before).filter((name) => before[name] !== after[name]);
  expect(differing.filter((name) => !moving.has(name))).toEqual([]);
  expect((await examine(database.url, () => {})).filter(({ count }) => count > 0)).toEqual([]);

  const second = await startServer({ DATA_DIR: dataDir }, database.url);
  try {
    const client = new Client(second.url, api.key);
    const list = (at: Client) => at.get('/contacts?limit=100');
    expect((await list(client)).body.data).toEqual((await list(api)).body.data);
    const newest = (await client.get('/contacts?q=line')).body.data[0];
    expect(newest.name).toBe('Tab\tand\nline \\N \\. 🙂');
    const { rows } = await second.app.pool.query(
      `SELECT data FROM jobs.job WHERE name = 'messages.release' AND state < 'active'`,
    );
    expect(rows).toEqual([{ data: { companyId: company.id, conversationId: '01M8H8W81T786Q5C19VR900MXW' } }]);
    expect((await client.post('/contacts', { name: 'Next' })).status).toBe(201);
  } finally {
    await second.close();
  }
  const again = await parlour(['restore', file], database.url, dataDir);
  expect(again).toMatchObject({ code: 1, body: { error: { message: expect.stringContaining('in use') } } });
  await database.drop();
  reached('D13', `${told.rows} rows restored in ${seconds.toFixed(1)} s, all the same, 0 violations`);
}, 120_000);

it('cut off, changed or something else it is refused, and nothing is left of it', async () => {
  const whole = fs.readFileSync(file);
  const middle = Math.floor(whole.length / 2);
  const spoilt: [string, Buffer | null, RegExp][] = [
    ['half', whole.subarray(0, middle), /no backup/],
    ['without its end', whole.subarray(0, -10), /no backup/],
    ['changed', Buffer.from(whole).fill(0, middle, middle + 64), /no backup/],
    ['text', Buffer.from('name,phone\n'), /no backup/],
    ['empty', Buffer.alloc(0), /no backup/],
    ['missing', null, /ENOENT/],
  ];
  const { database, dataDir } = await emptyInstallation();
  for (const [name, content, message] of spoilt) {
    const at = path.join(folder, name);
    if (content) fs.writeFileSync(at, content);
    const { code, body } = await parlour(['restore', at], database.url, dataDir);
    expect([name, code, body.error.message]).toEqual([name, 1, expect.stringMatching(message)]);
  }
  const left = fs
    .readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile());
  expect(left.map(({ name }) => name)).toEqual([]);
  expect((await parlour(['restore', file], database.url, dataDir)).code).toBe(0);
  await database.drop();
}, 120_000);

it('of an installation with another SECRET is taken only when that is asked for', async () => {
  const { database, dataDir } = await emptyInstallation();
  const other = 'another secret, that is long enough to be one';
  const refused = await parlour(['restore', file], database.url, dataDir, other);
  expect(refused).toMatchObject({ code: 1, body: { error: { message: expect.stringContaining('SECRET') } } });
  expect((await parlour(['restore', file, '--other-secret'], database.url, dataDir, other)).code).toBe(0);
  await database.drop();
}, 120_000);
