import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import project from '../../package.json' with { type: 'json' };
import type { Dataset } from './dataset.ts';
import { benchSecret } from './house.ts';

const projectDir = path.resolve(import.meta.dirname, '../..');

/** A measured server in a process of its own. */
export interface MeasuredServer {
  side: 'yardstick' | 'parlour' | 'postgraphile';
  url: string;
  pid: number;
  /** The end of its log. */
  said(): string;
  stop(): Promise<void>;
}

type Measured = Dataset & { url: string };

/** Those that run: a run that is given up takes them along, or they would work beside the next one. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

export function startYardstick({ url, company, user }: Measured): Promise<MeasuredServer> {
  return start('yardstick', ['test/bench/yardstick.ts'], {
    DATABASE_URL: url,
    BENCH_COMPANY: company,
    BENCH_USER: user,
  });
}

/** PostGraphile over the tables as they are, with its own settings for production. */
export function startPostgraphile({ url }: Pick<Measured, 'url'>): Promise<MeasuredServer> {
  return start('postgraphile', ['test/bench/postgraphile.ts'], {
    DATABASE_URL: url,
    GRAPHILE_ENV: 'production',
  });
}

interface ParlourOptions {
  /** Of Node, such as `--cpu-prof`. */
  flags?: readonly string[];
  /** Settings on top of ours. */
  variables?: Record<string, string>;
}

/** Parlour as `npm start` starts it, with its log, and limits that are counted but never met. */
export async function startParlour(
  { url }: Pick<Measured, 'url'>,
  { flags = [], variables = {} }: ParlourOptions = {},
): Promise<MeasuredServer> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parlour-bench-data-'));
  const server = await start(
    'parlour',
    [...project.config.nodeFlags, ...flags, 'server/main.ts', '--json', 'serve'],
    {
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      PORT: '0',
      DEMO: '0',
      SECRET: benchSecret,
      RATE_LIMIT_PER_MINUTE: '1000000',
      SHUTDOWN_GRACE_SECONDS: '0',
      ...project.config.nodeVariables,
      ...variables,
    },
  );
  return {
    ...server,
    async stop() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function start(
  side: MeasuredServer['side'],
  args: string[],
  env: Record<string, string>,
): Promise<MeasuredServer> {
  const child = spawn(process.execPath, args, {
    cwd: projectDir,
    env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  // The log is written and read, as under a supervisor; what it says is kept for a server that does not start.
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4_000)));
  const url = await firstUrl(child);
  if (url === undefined) throw new Error(`The server ${side} did not start:\n${said}`);
  return { side, url, pid: child.pid ?? 0, said: () => said, stop: () => end(child) };
}

/** The address that it prints once it listens. */
async function firstUrl({ stdout }: ChildProcess): Promise<string | undefined> {
  if (!stdout) return undefined;
  const lines = createInterface({ input: stdout });
  for await (const line of lines) {
    const url: unknown = line.startsWith('{') ? Reflect.get(JSON.parse(line) as object, 'url') : undefined;
    if (typeof url !== 'string') continue;
    stdout.resume();
    return url;
  }
  return undefined;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exited;
}
