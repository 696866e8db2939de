import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { BenchResult, Outcome, OwnOutcome } from './bench.ts';
import { foreignLimit, middleOf, ratioOver } from './figures.ts';
import type { Effort } from './rounds.ts';

const projectDir = path.resolve(import.meta.dirname, '../..');

/** Where and when something was measured. */
export interface Circumstances extends Effort {
  date: string;
  commit: string;
  node: string;
  postgres: string;
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
  const manifest = JSON.parse(readFileSync(path.join(projectDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  return {
    date: new Date().toISOString(),
    commit: commit(),
    node: process.version,
    postgres: rows[0]?.server_version ?? '',
    parlour: manifest.version,
    machine: `${os.cpus().length} cores, ${os.cpus()[0]?.model.trim() ?? ''}`,
    dataset,
    connections,
    seconds,
    rounds,
    warmUp,
  };
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

/** Writes `results.json`, with each run and what they come to, and `results.md` into a folder. */
export function writeReport(
  folder: string,
  circumstances: Circumstances,
  runs: readonly BenchResult[],
): void {
  mkdirSync(folder, { recursive: true });
  const result = overRuns(runs);
  const all = { circumstances, ...result, runs };
  writeFileSync(path.join(folder, 'results.json'), `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync(path.join(folder, 'results.md'), markdown(circumstances, result, runs.length));
}

function overRuns(runs: readonly BenchResult[]): BenchResult {
  const [first] = runs;
  if (!first) throw new Error('Nothing was run.');
  return {
    proven: first.proven,
    outcomes: first.outcomes.map(({ name, goal }, place) => {
      const all = runs.flatMap(({ outcomes }) => outcomes[place] ?? []);
      return {
        name,
        goal,
        yardstick: middleOf(all.map(({ yardstick }) => yardstick)),
        parlour: middleOf(all.map(({ parlour }) => parlour)),
        ratio: ratioOver(all.map(({ ratio }) => ratio)),
      };
    }),
    own: first.own.map(({ name, p99 }, place) => ({
      name,
      p99,
      parlour: middleOf(runs.flatMap(({ own }) => own[place]?.parlour ?? [])),
    })),
  };
}

const head = [
  'operation',
  'yardstick µs',
  'Parlour µs',
  'ratio',
  'spread',
  'goal',
  'req/s',
  'p50 ms',
  'p99 ms',
  'quiet rounds',
];

function markdown(at: Circumstances, { proven, outcomes, own }: BenchResult, runs: number): string {
  return `# Measured against hand-written code

Made by \`npm run bench\` on ${at.date.slice(0, 10)}, of ${at.commit}: Parlour ${at.parlour}, Node ${at.node}, PostgreSQL ${at.postgres},
${at.machine}. Data set: ${at.dataset}. ${at.connections} connections,
${at.rounds} rounds of ${at.seconds} s for each side, one after the other${runs > 1 ? `; the middle of ${runs} runs, and as spread the ratios of the runs` : ''}.

The yardstick is \`test/bench/yardstick.ts\`: \`node:http\`, \`pg\` and SQL by hand, without keys, limits, log or validation.
Before anything was measured, ${proven} answers of both were found equal. µs are CPU time for each request, server +
PostgreSQL; the ratio is of the sums, the middle of the rounds. A round is quiet when at most ${foreignLimit * 100} % of the machine
was busy with something else; where fewer than two were, all count, and the ratio is rough. req/s and latencies are
Parlour's, and say more about the machine than about Parlour.

${table([head, ...outcomes.map(rowOf)])}

What the yardstick does not have, by itself:

${table([ownHead, ...own.map(ownRowOf)])}
`;
}

const ownHead = ['operation', 'Parlour µs', 'req/s', 'p50 ms', 'p99 ms', 'goal'];

function ownRowOf({ name, p99, parlour }: OwnOutcome): string[] {
  return [
    name,
    `${Math.round(parlour.server)} + ${Math.round(parlour.postgres)}`,
    Math.round(parlour.perSecond).toString(),
    parlour.p50.toFixed(1),
    parlour.p99.toFixed(1),
    p99 === null ? '–' : `p99 ≤ ${p99} ms ${parlour.p99 <= p99 ? 'held' : 'missed'}`,
  ];
}

function rowOf({ name, goal, yardstick, parlour, ratio }: Outcome): string[] {
  return [
    name,
    `${Math.round(yardstick.server)} + ${Math.round(yardstick.postgres)}`,
    `${Math.round(parlour.server)} + ${Math.round(parlour.postgres)}`,
    `${ratio.median.toFixed(2)}×`,
    `${ratio.least.toFixed(2)}–${ratio.most.toFixed(2)}`,
    goal === null ? '–' : `≤ ${goal}× ${ratio.median <= goal ? 'held' : 'missed'}`,
    Math.round(parlour.perSecond).toString(),
    parlour.p50.toFixed(1),
    parlour.p99.toFixed(1),
    `${ratio.quiet} of ${ratio.rounds}`,
  ];
}

function table(rows: readonly string[][]): string {
  const [first = []] = rows;
  const widths = first.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  return [line(first), rule, ...rows.slice(1).map(line)].join('\n');
}

/** One line for the terminal. */
export function summary(outcome: Outcome | OwnOutcome): string {
  if (!('ratio' in outcome)) {
    const [name = '', cost, , p50, p99, goal] = ownRowOf(outcome);
    return `${name.padEnd(36)} ${''.padStart(13)} ${cost?.padStart(13)} p50 ${p50} p99 ${p99} ms ${goal}`;
  }
  const [name = '', theirs, ours, ratio, spread, goal] = rowOf(outcome);
  return `${name.padEnd(36)} ${theirs?.padStart(13)} ${ours?.padStart(13)} ${ratio?.padStart(7)} (${spread}) ${goal}`;
}
