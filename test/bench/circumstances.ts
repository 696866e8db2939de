import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { Effort } from './rounds.ts';

const projectDir = path.resolve(import.meta.dirname, '../..');

/** Where and when something was measured. */
export interface Circumstances extends Effort {
  date: string;
  commit: string;
  node: string;
  postgres: string;
  postgraphile: string;
  parlour: string;
  machine: string;
  dataset: string;
}

export async function circumstancesOf(
  databaseUrl: string,
  dataset: string,
  { connections, seconds, rounds, warmUp }: Effort,
): Promise<Circumstances> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  await client.end();
  return {
    date: new Date().toISOString(),
    commit: commit(),
    node: process.version,
    postgres: rows[0]?.server_version ?? '',
    postgraphile: versionIn('node_modules/postgraphile'),
    parlour: versionIn('.'),
    machine: `${os.cpus().length} cores, ${os.cpus()[0]?.model.trim() ?? ''}`,
    dataset,
    connections,
    seconds,
    rounds,
    warmUp,
  };
}

function versionIn(folder: string): string {
  const text = readFileSync(path.join(projectDir, folder, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

function commit(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], {
      cwd: projectDir,
      encoding: 'utf8',
    }).trim();
  } catch {
    return 'unknown';
  }
}
