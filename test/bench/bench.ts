import type { BenchDatabase } from './database.ts';
import { type Figures, figuresOf, type Ratio, ratioOf } from './figures.ts';
import { restOperations } from './operations.ts';
import { asker, prove, provenPaths } from './proof.ts';
import { type Effort, Meter } from './rounds.ts';
import { readSamples } from './samples.ts';
import { type MeasuredServer, startParlour, startYardstick } from './servers.ts';

/** What one operation costs on both sides. */
export interface Outcome {
  name: string;
  goal: number | null;
  yardstick: Figures;
  parlour: Figures;
  ratio: Ratio;
}

export interface BenchResult {
  /** How many answers were found equal before anything was measured. */
  proven: number;
  outcomes: Outcome[];
}

export interface BenchOptions extends Effort {
  /** Only the operations whose name has this in it. */
  only?: string | undefined;
  /** Flags of Node for Parlour's process. */
  flags?: readonly string[];
  /** Called after each operation. */
  told?: (outcome: Outcome) => void;
}

/**
 * Starts the yardstick and Parlour over the same database, proves that they answer the same, and measures them in turn.
 * @throws Error when an answer differs, or a request fails
 */
export async function runBench(
  database: Pick<BenchDatabase, 'company' | 'user' | 'key' | 'url'>,
  { only = '', flags = [], told = () => {}, ...effort }: BenchOptions,
): Promise<BenchResult> {
  const samples = await readSamples(database);
  const servers: MeasuredServer[] = [];
  try {
    const yardstick = await startYardstick(database);
    servers.push(yardstick);
    const parlour = await startParlour(database, flags);
    servers.push(parlour);
    const proven = await prove(
      provenPaths(samples),
      asker(yardstick.url, database.key),
      asker(parlour.url, database.key),
    );
    const meter = await Meter.open(database.url, database.key);
    const outcomes: Outcome[] = [];
    try {
      for (const { name, goal, requests } of restOperations(samples)) {
        if (!name.includes(only)) continue;
        const sides = [yardstick, parlour].map(({ side, url, pid }) => ({
          name: side,
          url,
          pid,
          application: side,
          requests,
        }));
        const [theirs = [], ours = []] = await meter.compare(sides, effort);
        const outcome = {
          name,
          goal,
          yardstick: figuresOf(theirs),
          parlour: figuresOf(ours),
          ratio: ratioOf(ours, theirs),
        };
        outcomes.push(outcome);
        told(outcome);
      }
    } finally {
      await meter.close();
    }
    return { proven, outcomes };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}
