import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { createTestDatabase } from '../support/postgres.ts';

const projectDir = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'parlour-kill-'));
const children: ChildProcess[] = [];
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const child of children) child.kill('SIGKILL');
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('No port.');
  return address.port;
}

interface Env {
  [name: string]: string;
}

function start(env: Env, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [path.join(projectDir, 'server/main.ts'), ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

async function outputOf(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout ?? []) text += String(chunk);
  return text;
}

it('a server killed over and over during 500 keyed creates leaves 500 contacts and 500 events', async () => {
  const database = await createTestDatabase();
  const port = await freePort();
  const env = {
    DATABASE_URL: database.url,
    PORT: String(port),
    DEMO: '1',
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_MINUTE: '1000000',
    SHUTDOWN_GRACE_SECONDS: '0',
  };
  const { keys } = JSON.parse(await outputOf(start(env, 'demo', '--json'))) as { keys: { live: string } };
  let server = start(env, 'serve');
  let left = 500;
  let replays = 0;

  const answers = () =>
    fetch(`http://127.0.0.1:${port}/livez`).then(
      ({ ok }) => ok,
      () => false,
    );
  const killing = (async () => {
    // Killed only once it serves, or a slow machine would never get anywhere.
    for (let kills = 0; kills < 12; kills++) {
      while (!(await answers())) await wait(50);
      await wait(200 + Math.random() * 600);
      if (left === 0) return;
      server.kill('SIGKILL');
      server = start(env, 'serve');
    }
  })();

  const create = async (name: string) => {
    const key = randomUUID();
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/contacts`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${keys.live}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': key,
        },
        body: JSON.stringify({ name }),
      }).catch(() => null);
      if (answer?.status === 201) {
        if (answer.headers.get('idempotency-replayed') === 'true') replays++;
        left--;
        return;
      }
      if (answer && answer.status !== 409) expect(answer.status).toBeGreaterThanOrEqual(500);
      await wait(50 + Math.random() * 50);
    }
  };
  const names = Array.from({ length: 500 }, (_, n) => `killed ${n}`);
  const worker = async () => {
    // Slowly enough that several kills fall into the run.
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      await create(name);
      await wait(100);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  await killing;

  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query(`
    SELECT (SELECT count(*)::int FROM contacts WHERE name LIKE 'killed %') AS contacts,
      (SELECT count(DISTINCT name)::int FROM contacts WHERE name LIKE 'killed %') AS names,
      (SELECT count(*)::int FROM events WHERE payload->'data'->'object'->>'name' LIKE 'killed %') AS events,
      (SELECT count(*)::int FROM idempotency_records WHERE status = 201) AS answers`);
  await client.end();
  expect(rows[0]).toEqual({ contacts: 500, names: 500, events: 500, answers: 500 });
  expect(replays).toBeGreaterThanOrEqual(0);
}, 240_000);
