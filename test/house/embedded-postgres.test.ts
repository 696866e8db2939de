import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../server/platform/embedded-postgres.ts';
import { isAlive } from '../../server/platform/postgres-process.ts';

// A private folder, with a name that needs quoting, and longer than a socket's path may be.
const base = fs.mkdtempSync(path.join(os.tmpdir(), 'parlour pg-'));
const holders: ChildProcess[] = [];

afterAll(async () => {
  for (const holder of holders) holder.kill('SIGKILL');
  for (const name of fs.readdirSync(base))
    await (await startEmbeddedPostgres({ dataDir: folder(name) })).stop();
  fs.rmSync(base, { recursive: true });
});

function folder(name: string): string {
  return path.join(base, name);
}

type Holder = { url: string; startedByUs: boolean; kill: () => Promise<void>; stop: () => Promise<void> };

async function hold(dataDir: string): Promise<Holder> {
  const script = path.resolve(import.meta.dirname, '../support/hold-postgres.ts');
  const child = spawn(process.execPath, [script, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] });
  holders.push(child);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const exited = once(child, 'exit');
  const facts = JSON.parse(line) as { url: string; startedByUs: boolean };
  return {
    ...facts,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      child.stdin.end('stop\n');
      await exited;
    },
  };
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows.flatMap((row) => Object.values(row));
  } finally {
    await client.end();
  }
}

function postmasterPid(dataDir: string): number {
  return Number.parseInt(
    fs.readFileSync(path.join(dataDir, 'postgres/files/cluster/postmaster.pid'), 'utf8'),
    10,
  );
}

const mode = (file: string): number => fs.statSync(file).mode & 0o777;

test('keeps data, port and password over a clean stop, in a private folder', async () => {
  const dataDir = folder(`long ${'x'.repeat(120)} ü`);
  const first = await startEmbeddedPostgres({ dataDir });
  expect(first.startedByUs).toBe(true);
  await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  expect(await query(first.url, 'SELECT usesuper FROM pg_user WHERE usename = current_user')).toEqual([
    false,
  ]);
  expect(await query(first.url, 'SHOW fsync')).toEqual(['on']);
  expect(await query(first.url, 'SHOW synchronous_commit')).toEqual(['on']);
  const server = new URL(first.url);
  server.password = 'wrong';
  await expect(query(server.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
  await first.stop();
  await expect(query(first.url, 'SELECT 1')).rejects.toThrow(/ECONNREFUSED/);

  const again = await startEmbeddedPostgres({ dataDir });
  expect(again.url).toBe(first.url);
  expect(await query(again.url, 'SELECT answer FROM kept')).toEqual([42]);
  await again.stop();
  expect(mode(dataDir)).toBe(0o700);
  expect(mode(path.join(dataDir, 'postgres/files'))).toBe(0o700);
  expect(mode(path.join(dataDir, 'postgres/credentials.json'))).toBe(0o600);
});

test('a server left over by a killed process is attached to, and stopped by the next who leaves', async () => {
  const dataDir = folder('orphan');
  const holder = await hold(dataDir);
  await query(holder.url, 'CREATE TABLE kept AS SELECT 1 AS one');
  const pid = postmasterPid(dataDir);
  await holder.kill();

  const next = await startEmbeddedPostgres({ dataDir });
  expect(next).toMatchObject({ startedByUs: false, url: holder.url });
  expect(postmasterPid(dataDir)).toBe(pid);
  await next.stop();
  expect(isAlive(pid)).toBe(false);
});

test('recovers what was committed when server and database are killed together', async () => {
  const dataDir = folder('killed');
  const holder = await hold(dataDir);
  await query(holder.url, 'CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n');
  process.kill(postmasterPid(dataDir), 'SIGKILL');
  await holder.kill();

  const next = await startEmbeddedPostgres({ dataDir });
  expect(next.startedByUs).toBe(true);
  expect(await query(next.url, 'SELECT count(*)::int FROM kept')).toEqual([1000]);
  await next.stop();
});

test('is not fooled by a stale postmaster.pid whose number another program has got', async () => {
  const dataDir = folder('stale');
  const holder = await hold(dataDir);
  const file = path.join(dataDir, 'postgres/files/cluster/postmaster.pid');
  const content = fs.readFileSync(file, 'utf8');
  await holder.stop();
  fs.writeFileSync(file, content.replace(/^\d+/, String(process.pid)), { mode: 0o600 });

  const next = await startEmbeddedPostgres({ dataDir });
  expect(next.startedByUs).toBe(true);
  await next.stop();
});

test('of starters at the same time one starts it, and the last to leave stops it', async () => {
  const dataDir = folder('together');
  const [a, b, c] = await Promise.all([hold(dataDir), hold(dataDir), hold(dataDir)]);
  expect([a, b, c].filter(({ startedByUs }) => startedByUs)).toHaveLength(1);
  expect(new Set([a.url, b.url, c.url]).size).toBe(1);
  const starter = [a, b, c].find(({ startedByUs }) => startedByUs)!;
  const [second, third] = [a, b, c].filter((holder) => holder !== starter);
  await starter.stop();
  expect(await query(a.url, 'SELECT 1')).toEqual([1]);
  await second!.kill();
  expect(await query(a.url, 'SELECT 1')).toEqual([1]);
  await third!.stop();
  await expect(query(a.url, 'SELECT 1')).rejects.toThrow(/ECONNREFUSED/);
});

test('a database that dies under a running server comes back on the same port', async () => {
  const dataDir = folder('watched');
  const server = await startEmbeddedPostgres({ dataDir });
  const pid = postmasterPid(dataDir);
  process.kill(pid, 'SIGKILL');
  const answered = async (): Promise<boolean> =>
    query(server.url, 'SELECT 1').then(
      () => true,
      () => false,
    );
  const deadline = Date.now() + 10_000;
  await sleep(100);
  while (!(await answered()) && Date.now() < deadline) await sleep(100);
  expect(await query(server.url, 'SELECT 1')).toEqual([1]);
  expect(postmasterPid(dataDir)).not.toBe(pid);
  await server.stop();
});

test('a cluster of another major version is refused with what to do', async () => {
  const dataDir = folder('version');
  await (await startEmbeddedPostgres({ dataDir })).stop();
  const file = path.join(dataDir, 'postgres/files/cluster/PG_VERSION');
  fs.writeFileSync(file, '17\n');
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(/made by PostgreSQL 17/);
  fs.writeFileSync(file, '18\n');
});
