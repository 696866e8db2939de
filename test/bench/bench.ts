import type { BenchDatabase } from './database.ts';
import { type Figures, figuresOf, type Ratio, ratioOf } from './figures.ts';
import { ownOperations, restOperations } from './operations.ts';
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

/** What an operation without a counterpart costs. */
export interface OwnOutcome {
  name: string;
  /** Milliseconds that were aimed at. */
  p99: number | null;
  parlour: Figures;
}

export interface BenchResult {
  /** How many answers were found equal before anything was measured. */
  proven: number;
  outcomes: Outcome[];
  own: OwnOutcome[];
}

export interface BenchOptions extends Effort {
  /** Only the operation of this name, or those whose name has it in it. */
  only?: string | undefined;
  /** Flags of Node for Parlour's process. */
  flags?: readonly string[];
  /** Called after each operation. */
  told?: (outcome: Outcome | OwnOutcome) => void;
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
    const own: OwnOutcome[] = [];
    const shared = restOperations(samples);
    const alone = ownOperations(samples);
    const exact = [...shared, ...alone].some(({ name }) => name === only);
    const chosen = ({ name }: { name: string }) => (exact ? name === only : name.includes(only));
    try {
      for (const { name, goal, requests } of shared.filter(chosen)) {
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
      for (const { name, p99, requests } of alone.filter(chosen)) {
        const { side, url, pid } = parlour;
        const [ours = []] = await meter.compare([{ name: side, url, pid, application: side, requests }], {
          ...effort,
          // A latency to be kept is not that of a queue.
          connections: p99 === null ? effort.connections : 2,
          warmUp: Math.min(effort.warmUp, requests.length * 20),
        });
        const outcome = { name, p99, parlour: figuresOf(ours) };
        own.push(outcome);
        told(outcome);
      }
    } finally {
      await meter.close();
    }
    return { proven, outcomes, own };
  } catch (error) {
    const logs = servers.map(({ side, said }) => `The log of ${side} ends:\n${said()}`);
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${logs.join('\n')}`, {
      cause: error,
    });
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}
