import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Trial } from '../trial.ts';

const projectDir = path.resolve(import.meta.dirname, '../../..');

/** `npm start` with everything installed and built, until it says that it is ready: into an empty folder, and again. */
export const coldStart: Trial = {
  name: 'cold start',
  async run({ folder, small }) {
    // What only the first start of a checkout does.
    if (!small) await startIn(path.join(folder, 'prepared'));
    const data = path.join(folder, 'data');
    const first = await startIn(data);
    const again = await startIn(data);
    return [
      { name: 'cold start, again', value: again, unit: 's', goal: { most: 5 } },
      {
        name: 'cold start, empty folder',
        value: first,
        unit: 's',
        how: 'with a new PostgreSQL, all migrations and the demo company',
      },
    ];
  },
};

async function startIn(dataDir: string): Promise<number> {
  const { DATABASE_URL: _, ...inherited } = process.env;
  const started = performance.now();
  const child = spawn(process.execPath, ['server/boot.mjs', '--json', 'serve'], {
    cwd: projectDir,
    env: { ...inherited, DATA_DIR: dataDir, PORT: '0', SHUTDOWN_GRACE_SECONDS: '0', DEMO_TRAFFIC: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)));
  try {
    await ready(child);
    return (performance.now() - started) / 1_000;
  } catch {
    throw new Error(`It did not start:\n${said}`);
  } finally {
    await ended(child);
  }
}

async function ready({ stdout }: ChildProcess): Promise<void> {
  if (!stdout) throw new Error('It has no output.');
  for await (const line of createInterface({ input: stdout })) {
    const url = line.startsWith('{') ? (JSON.parse(line) as { url?: string }).url : undefined;
    if (url === undefined) continue;
    stdout.resume();
    const { status } = await fetch(`${url}/readyz`);
    if (status === 200) return;
    throw new Error(`It answered ${status}.`);
  }
  throw new Error('It ended.');
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exited;
}
