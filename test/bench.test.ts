import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examine } from '../server/doctor/examine.ts';
import { type BenchResult, runBench } from './bench/bench.ts';
import { circumstancesOf } from './bench/circumstances.ts';
import { fillDataset } from './bench/dataset.ts';
import { ratioOf } from './bench/figures.ts';
import { writeReport } from './bench/report.ts';
import { trials } from './bench/trials.ts';
import { createTestDatabase } from './support/postgres.ts';

const effort = { connections: 4, seconds: 0.05, rounds: 1, warmUp: 0 };

/** Trials of which each starts a server, or needs a database beside this one: `npm run bench -- --small` runs them. */
const alone = new Set(trials.map(({ name }) => name).filter((name) => name !== 'statements'));

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let folder: string;
let dataset: Parameters<typeof runBench>[0];
let result: BenchResult;

beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
  folder = mkdtempSync(path.join(tmpdir(), 'parlour-bench-test-'));
  dataset = {
    ...(await fillDataset(database.url, folder, 'small')),
    url: database.url,
    empty: () => Promise.reject(new Error('There is one database.')),
  };
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the benchmark', () => {
  it('has data that the house could have written', async () => {
    const findings = await examine(dataset.url);
    expect(findings.filter(({ count }) => count > 0)).toEqual([]);
  });

  it('finds yardstick and Parlour equal, and measures every operation on both', async () => {
    result = await runBench(dataset, { ...effort, small: true, without: (name) => alone.has(name) });
    expect(result.failures).toEqual([]);
    expect(result.proven).toBeGreaterThanOrEqual(200);
    expect(result.outcomes.map(({ name }) => name)).toContain('send a message');
    for (const { theirs, parlour } of result.outcomes) {
      expect(theirs.requests).toBeGreaterThan(0);
      expect(parlour.requests).toBeGreaterThan(0);
    }
    expect(result.own.map(({ name }) => name)).toContain('order with 4 items');
    for (const { parlour } of result.own) expect(parlour.requests).toBeGreaterThan(0);
    expect(result.trials.map(({ failure }) => failure)).toEqual(result.trials.map(() => null));
    expect(result.trials.flatMap(({ findings }) => findings).length).toBeGreaterThan(0);
  });

  it('writes what came of it for machines and for people', async () => {
    const circumstances = await circumstancesOf(dataset.url, 'small', effort);
    writeReport(folder, circumstances, [result]);
    const kept = JSON.parse(readFileSync(path.join(folder, 'results.json'), 'utf8'));
    expect(kept.outcomes).toHaveLength(result.outcomes.length);
    expect(kept.circumstances.node).toBe(process.version);
    expect(readFileSync(path.join(folder, 'README.md'), 'utf8')).toContain('| contact by id ');
  });

  it('leaves what both servers wrote in order', async () => {
    const findings = await examine(dataset.url);
    expect(findings.filter(({ count }) => count > 0)).toEqual([]);
  });
});

describe('a ratio', () => {
  const sample = (cost: number, foreign: number) => ({
    requests: 1,
    perSecond: 1,
    p50: 1,
    p99: 1,
    most: 1,
    server: cost,
    postgres: 0,
    foreign,
  });

  it('is that of the quiet rounds, when there are two', () => {
    const yardstick = [sample(10, 0), sample(10, 0), sample(10, 0.5)];
    const parlour = [sample(10, 0), sample(20, 0), sample(90, 0)];
    expect(ratioOf(parlour, yardstick)).toEqual({ median: 1.5, least: 1, most: 2, quiet: 2, rounds: 3 });
  });

  it('is that of all rounds, when hardly any was quiet', () => {
    const yardstick = [sample(10, 0.5), sample(10, 0.5), sample(10, 0)];
    const parlour = [sample(12, 0), sample(14, 0), sample(90, 0)];
    expect(ratioOf(parlour, yardstick)).toMatchObject({ median: 1.4, least: 1.2, most: 9, quiet: 1 });
  });
});
