import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BenchDatabase, untilIdle } from './database.ts';
import { type MeasuredServer, startParlour } from './servers.ts';

/** A figure that has no counterpart in the yardstick. */
export interface Finding {
  name: string;
  value: number;
  unit: string;
  /** What was aimed at. */
  goal?: { most: number } | { least: number };
  /** How it was measured, where the name does not say. */
  how?: string;
}

type TrialDatabase = Pick<BenchDatabase, 'company' | 'user' | 'key' | 'url' | 'empty'>;

/** Where a trial runs. What it starts is stopped after it. */
export interface TrialPlace extends TrialDatabase {
  /** Counts as in the full data set, or so few that it takes a moment. */
  small: boolean;
  /** How long to go on where something shows only after a while. */
  minutes: number;
  /** Of Node, on top of ours: for a program that is not started with `parlour`. */
  flags: readonly string[];
  /** A folder of its own. */
  folder: string;
  /** A server over the data set, with these settings and flags of Node on top of those of the benchmark. */
  parlour(variables?: Record<string, string>, flags?: readonly string[]): Promise<MeasuredServer>;
}

/** Something measured by itself; told apart by its name, as the operations are. */
export interface Trial {
  name: string;
  run(place: TrialPlace): Promise<Finding[]>;
}

/** What a trial came to; `failure` says why there is nothing. */
export interface TrialOutcome {
  name: string;
  seconds: number;
  findings: Finding[];
  failure: string | null;
}

/** Runs one trial; that it fails is part of the outcome. */
export async function runTrial(
  { name, run }: Trial,
  { company, user, key, url, empty }: TrialDatabase,
  { small, minutes, flags }: { small: boolean; minutes: number; flags: readonly string[] },
): Promise<TrialOutcome> {
  const servers: MeasuredServer[] = [];
  const folder = mkdtempSync(path.join(tmpdir(), 'parlour-bench-trial-'));
  const parlour = async (variables: Record<string, string> = {}, more: readonly string[] = []) => {
    const server = await startParlour({ url }, { flags: [...flags, ...more], variables });
    servers.push(server);
    return server;
  };
  const started = performance.now();
  const outcome = { name, findings: [] as Finding[], failure: null as string | null };
  try {
    outcome.findings = await run({ company, user, key, url, empty, small, minutes, flags, folder, parlour });
    if (servers.length > 0) await untilIdle(url);
  } catch (error) {
    const logs = servers.map((server) => server.said());
    outcome.failure = [error instanceof Error ? error.message : String(error), ...logs].join('\n');
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
  return { ...outcome, seconds: (performance.now() - started) / 1_000 };
}

/** Whether a figure is as was aimed at; null where nothing was. */
export function holds({ value, goal }: Finding): boolean | null {
  if (!goal) return null;
  return 'most' in goal ? value <= goal.most : value >= goal.least;
}
