import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../support/postgres.ts';

const projectDir = path.resolve(import.meta.dirname, '../..');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parlour-boot-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

type Outcome = { code: number | null; stdout: string; stderr: string };

async function parlour(args: string[], env: Record<string, string> = {}): Promise<Outcome> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(path.join(projectDir, 'server/boot.mjs'), args, {
    cwd: folder,
    env: { PATH, HOME, DATA_DIR: path.join(folder, 'data'), ...env },
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code: code as number | null, stdout, stderr };
}

function oneJsonValue({ stdout }: Outcome): unknown {
  expect(stdout.trimEnd()).not.toContain('\n');
  return JSON.parse(stdout);
}

describe('exit codes, and one JSON value on standard output', () => {
  test('0: the settings', async () => {
    const outcome = await parlour(['config', 'print', '--json'], { PORT: '1' });
    expect(outcome.code).toBe(0);
    expect(oneJsonValue(outcome)).toContainEqual({ name: 'PORT', value: 1, from: 'the environment' });
  });

  test('0: the option may stand first', async () => {
    expect(oneJsonValue(await parlour(['--json', 'config', 'print']))).toBeInstanceOf(Array);
  });

  test('0: help and version', async () => {
    expect(await parlour(['--version'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+/),
    });
    const help = await parlour(['--help', '--json']);
    expect(help.code).toBe(0);
    expect(oneJsonValue(help)).toEqual({ help: expect.stringContaining('serve') });
  });

  test.each([[['nonsense']], [['config', 'print', '--nonsense']], [['config', 'print', 'extra']], [[]]])(
    '2: %j is a usage error',
    async (args) => {
      const plain = await parlour(args);
      expect(plain).toMatchObject({ code: 2, stdout: '' });
      expect(plain.stderr).not.toBe('');
      const json = await parlour([...args, '--json']);
      expect(json.code).toBe(2);
      expect(oneJsonValue(json)).toEqual({ error: { message: expect.any(String) } });
    },
  );

  test('2: wrong settings, all of them named', async () => {
    const outcome = await parlour(['migrate', '--json'], { PORT: 'x', DEMO: 'y' });
    expect(outcome.code).toBe(2);
    expect(oneJsonValue(outcome)).toMatchObject({
      error: { problems: [expect.stringMatching(/^PORT/), expect.stringMatching(/^DEMO/)] },
    });
  });

  test('1: a database that is not there', async () => {
    const outcome = await parlour(['migrate', '--json'], {
      DATABASE_URL: 'postgresql://u:hunter2@127.0.0.1:1/x',
    });
    expect(outcome.code).toBe(1);
    expect(oneJsonValue(outcome)).toEqual({ error: { message: expect.any(String) } });
    expect(outcome.stdout + outcome.stderr).not.toContain('hunter2');
  });
});

describe('migrate', () => {
  test('uses DATABASE_URL', async () => {
    const { url, drop } = await createTestDatabase();
    const outcome = await parlour(['migrate', '--json'], { DATABASE_URL: url });
    expect(outcome.code).toBe(0);
    expect(oneJsonValue(outcome)).toEqual({ applied: [] });
    await drop();
  });

  test('starts the embedded database for the length of the command', async () => {
    const dataDir = path.join(folder, 'embedded');
    const outcome = await parlour(['migrate', '--json'], { DATA_DIR: dataDir });
    expect(outcome).toMatchObject({ code: 0 });
    expect(oneJsonValue(outcome)).toEqual({ applied: expect.any(Array) });
    expect(fs.existsSync(path.join(dataDir, 'postgres/files/cluster/PG_VERSION'))).toBe(true);
    expect(fs.existsSync(path.join(dataDir, 'postgres/files/cluster/postmaster.pid'))).toBe(false);
  });
});
