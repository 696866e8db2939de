import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Client } from './support/client.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
// Each command is a process of its own.
vi.setConfig({ testTimeout: 120_000 });
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parlour-csv-'));
let company: TestCompany;
let api: Client;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

/** @param before arguments of node itself */
function parlour(args: string[], before: string[] = []): Promise<Run> {
  const env = {
    ...process.env,
    DATABASE_URL: server().databaseUrl,
    DATA_DIR: server().app.config.dataDir,
    LOG_LEVEL: 'info',
  };
  const command = [...before, path.resolve('server/main.ts'), ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { env, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

const here = () => ['--company', company.id];

function write(name: string, content: string): string {
  const file = path.join(folder, name);
  fs.writeFileSync(file, content);
  return file;
}

const read = (file: string) => fs.readFileSync(file, 'utf8');

test('import and export print one JSON value, and nothing else there', async () => {
  const file = write('people.csv', 'name,phone\n=Ana,+351912000001\nBo,+351912000002\n');
  const run = await parlour(['--json', 'import', 'contacts', file, ...here()]);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout.trim().split('\n')).toHaveLength(1);
  const nothing = { dry_run: false, ignored_columns: [], errors: [], rejected: null };
  expect(JSON.parse(run.stdout)).toEqual({
    rows: 2,
    created: 2,
    updated: 0,
    skipped: 0,
    failed: 0,
    ...nothing,
  });
  const target = path.join(folder, 'out.csv');
  const exported = await parlour(['export', 'contacts', '--json', '--file', target, '--bom', ...here()]);
  expect(exported).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(exported.stdout)).toEqual({ rows: 2, file: target });
  const text = read(target);
  expect(text).toMatch(/^\uFEFFid,name,phone,/);
  expect(text).toContain(",'=Ana,'+351912000001,");
  expect(fs.readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  const again = await parlour(['--json', 'import', 'contacts', target, ...here()]);
  expect(JSON.parse(again.stdout)).toMatchObject({ rows: 2, skipped: 2, created: 0 });
});

test('rows that are refused go to a file, and the exit code says partial', async () => {
  const file = write('partial.csv', 'sku;price;name\nA;100;Mug\nB;1,50;Cup\n');
  const trial = await parlour(['--json', 'import', 'products', file, '--dry-run', ...here()]);
  expect(trial.code).toBe(3);
  expect(JSON.parse(trial.stdout)).toMatchObject({ dry_run: true, created: 1, failed: 1, rejected: null });
  expect((await api.get('/products')).body.data).toEqual([]);
  const run = await parlour(['--json', 'import', 'products', file, ...here()]);
  const rejected = path.join(folder, 'partial.rejected.csv');
  expect(run.code).toBe(3);
  expect(JSON.parse(run.stdout)).toMatchObject({
    created: 1,
    failed: 1,
    rejected,
    errors: [{ line: 3, code: 'type', param: 'price' }],
  });
  expect(read(rejected)).toMatch(
    /^sku,price,name,rejected_line,rejected_code,rejected_reason\r\nB,"1,50",Cup,3,type,/,
  );
  const named = path.join(folder, 'named.csv');
  const text = await parlour(['import', 'products', file, '--rejected', named, ...here()]);
  expect(text.code).toBe(3);
  expect(text.stdout).toContain('2 rows: 0 created, 0 updated, 1 skipped, 1 failed.');
  expect(text.stdout).toContain('line 3: price:');
  expect(fs.existsSync(named)).toBe(true);
});

test('an export without a file is CSV on standard output, with the filters of the list', async () => {
  const { code, stdout } = await parlour([
    'export',
    'products',
    '--status',
    'active',
    '--in-stock',
    'true',
    ...here(),
  ]);
  expect(code).toBe(0);
  expect(stdout.split('\r\n').map((line) => line.split(',').slice(1, 4))).toEqual([
    ['sku', 'name', 'description'],
    ['A', 'Mug', ''],
    [],
  ]);
});

describe('exit codes', () => {
  const cases: [number, string, () => string[]][] = [
    [1, 'there is no file', () => ['import', 'contacts', path.join(folder, 'none.csv'), ...here()]],
    [1, 'needs a column', () => ['import', 'contacts', write('columns.csv', 'a,b\n1,2\n'), ...here()]],
    [
      1,
      'no company',
      () => ['import', 'orders', write('x.csv', 'phone\n1\n'), '--company', '01JQZ7K3M9V5T2XH8C4B6N0DFX'],
    ],
    [1, 'write', () => ['export', 'contacts', '--file', path.join(folder, 'no/such/folder.csv'), ...here()]],
    [2, '--company', () => ['import', 'contacts', write('y.csv', 'phone\n1\n')]],
    [2, 'argument', () => ['import', 'contacts', ...here()]],
    [2, 'unknown', () => ['import', 'bookings', 'x.csv', ...here()]],
    [2, '--file', () => ['export', 'contacts', ...here()]],
    [
      2,
      '--status',
      () => ['export', 'orders', '--file', path.join(folder, 'z.csv'), '--status', 'lost', ...here()],
    ],
    [
      2,
      '--in-stock',
      () => ['export', 'products', '--file', path.join(folder, 'z.csv'), '--in-stock', 'some', ...here()],
    ],
    [
      2,
      '--rejected',
      () => {
        const same = write('same.csv', 'phone\n1\n');
        return ['import', 'contacts', same, '--rejected', same, ...here()];
      },
    ],
  ];
  test.each(cases)('%i: %s', async (code, reason, args) => {
    const run = await parlour(['--json', ...args()]);
    expect(run.code, run.stderr).toBe(code);
    expect(run.stderr.toLowerCase()).toContain(reason.toLowerCase());
    expect(JSON.parse(run.stdout).error.message).toEqual(expect.any(String));
    expect(fs.existsSync(path.join(folder, 'z.csv'))).toBe(false);
  });
});

test('memory does not grow with the file: 60,000 rows in a heap that 15,000 fill as much', async () => {
  const line = (n: number) =>
    `Person ${n},+35193${String(n).padStart(7, '0')},${'x'.repeat(150)}${n}@example.com\n`;
  const large = write(
    'large.csv',
    `name,phone,email\n${Array.from({ length: 60_000 }, (_, n) => line(n)).join('')}`,
  );
  // The program itself takes about 90 MB of heap; all rows at once would take more than what is left.
  const tight = ['--max-old-space-size=140'];
  const run = await parlour(['--json', 'import', 'contacts', large, ...here()], tight);
  expect(run.code, run.stderr.slice(-500)).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({ rows: 60_000, created: 60_000 });
  const target = path.join(folder, 'large-out.csv');
  const out = await parlour(['--json', 'export', 'contacts', '--file', target, ...here()], tight);
  expect(JSON.parse(out.stdout)).toMatchObject({ rows: 60_002 });
  const trial = await parlour(['--json', 'import', 'contacts', target, '--dry-run', ...here()], tight);
  expect(JSON.parse(trial.stdout)).toMatchObject({ rows: 60_002, skipped: 60_002 });
});
