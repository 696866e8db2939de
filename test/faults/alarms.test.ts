import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { expectHealthy } from '../support/healthy.ts';
import { KilledServer } from '../support/killed-server.ts';
import { openOwnPostgres, type OwnPostgres } from '../support/own-postgres.ts';
import { reached } from '../support/reached.ts';
import { type Line, openLine } from '../support/tcp-proxy.ts';

const rules = path.resolve(import.meta.dirname, '../../server/deploy/alerts.yaml');
const folder = mkdtempSync(path.join(tmpdir(), 'parlour-alarms-'));
const volume = path.join(folder, 'volume');
const minute = 60_000;

function can(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
mkdirSync(volume);
const hasPrometheus = can('prometheus', '--version');
/** A file system for the database that can be filled, where we may make one. */
const mounted = hasPrometheus && can('mount', '-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', volume);

let postgres: OwnPostgres;
let line: Line;
let server: KilledServer;
let api: Client;
let prometheus: ChildProcess;
let address: string;
const load = { done: false };
let loading: Promise<unknown>;

/** Prometheus as our documents set it up: a scrape and an evaluation every ten seconds. */
async function startPrometheus(target: string): Promise<void> {
  const file = path.join(folder, 'prometheus.yaml');
  writeFileSync(
    file,
    [
      'global: { scrape_interval: 10s, evaluation_interval: 10s }',
      `rule_files: [${rules}]`,
      'scrape_configs:',
      `  - { job_name: parlour, static_configs: [{ targets: [${new URL(target).host}] }] }`,
    ].join('\n'),
  );
  const listen = `127.0.0.1:${await freePort()}`;
  address = `http://${listen}`;
  prometheus = spawn(
    'prometheus',
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${path.join(folder, 'series')}`,
      `--web.listen-address=${listen}`,
    ],
    { stdio: 'ignore' },
  );
}

async function firing(): Promise<string[]> {
  const answer = await fetch(`${address}/api/v1/alerts`).catch(() => null);
  const { data } = answer?.ok
    ? ((await answer.json()) as { data: { alerts: { labels: { alertname: string }; state: string }[] } })
    : { data: { alerts: [] } };
  return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
}

/** Waits for one of the alarms, that nothing had raised before. @returns after how many seconds it came */
async function raised(fault: () => unknown, ...alarms: string[]): Promise<number> {
  await expect
    .poll(async () => (await firing()).filter((name) => alarms.includes(name)), {
      timeout: 3 * minute,
      interval: 1_000,
    })
    .toEqual([]);
  const start = performance.now();
  void fault();
  const found = async () => (await firing()).some((name) => alarms.includes(name));
  await expect.poll(found, { timeout: 2 * minute, interval: 500 }).toBe(true);
  return Math.round((performance.now() - start) / 1000);
}

const serves = () =>
  expect
    .poll(
      () =>
        api.post('/contacts', { name: 'again' }).then(
          ({ status }) => status,
          () => 0,
        ),
      {
        timeout: 2 * minute,
        interval: 1_000,
      },
    )
    .toBe(201);

beforeAll(async () => {
  if (!hasPrometheus) return;
  postgres = await openOwnPostgres(path.join(volume, 'data'));
  line = await openLine(postgres.url);
  server = await KilledServer.over(line.url, { DEMO: '0' });
  const { keys } = await server.demo();
  api = new Client(server.url, keys.live);
  server.start();
  await server.ready();
  await startPrometheus(server.url);
  const client = async (n: number) => {
    while (!load.done) {
      const call =
        n % 4 === 0 ? api.post('/contacts', { name: 'alarms' }) : api.get('/contacts', { limit: 5 });
      await call.catch(() => {});
      await wait(500);
    }
  };
  loading = Promise.all(Array.from({ length: 20 }, (_, n) => client(n)));
  // Two looks, so that what changes between them is seen.
  await wait(25_000);
});

afterAll(async () => {
  load.done = true;
  await loading;
  prometheus?.kill('SIGKILL');
  server?.stop();
  await line?.close();
  await postgres?.close();
  if (mounted) execFileSync('umount', ['-l', volume]);
  rmSync(folder, { recursive: true, force: true });
});

it.runIf(hasPrometheus)(
  'each fault raises its alarm within a minute, by what the server says of itself [D19]',
  async () => {
    const seconds: Record<string, number> = {};
    seconds['frozen'] = await raised(() => postgres.freeze(), 'ParlourDatabaseHangs');
    postgres.thaw();
    await serves();
    seconds['crashed'] = await raised(() => postgres.crash(), 'ParlourDatabaseConnectionsLost');
    await serves();
    seconds['slow'] = await raised(() => (line.delay = 500), 'ParlourDatabaseSlow');
    line.delay = 0;
    await serves();
    if (mounted) {
      const filler = path.join(volume, 'filler');
      const fill = () => {
        const { bavail, bsize } = statfsSync(volume);
        writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize)));
      };
      seconds['full disk'] = await raised(fill, 'ParlourErrors');
      expect((await api.get('/contacts', { limit: 5 })).status).toBe(200);
      rmSync(filler);
      await serves();
    }
    const kill = async () => {
      server.kill();
      server.start();
      await server.ready();
    };
    seconds['killed'] = await raised(kill, 'ParlourRestarted', 'ParlourDown');
    await serves();
    await expectHealthy(postgres.url);
    const said = Object.entries(seconds).map(([fault, after]) => `${fault} ${after} s`);
    reached('D19', `${said.length} of 5 faults raise their alarm: ${said.join(', ')}`);
    expect(Math.max(...Object.values(seconds)), said.join(', ')).toBeLessThanOrEqual(60);
  },
  15 * minute,
);
