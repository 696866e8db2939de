import { type BenchDatabase, untilIdle, vacuum } from './database.ts';
import { type Figures, figuresOf, type Ratio, ratioOf } from './figures.ts';
import { graphqlOperations } from './graphql-operations.ts';
import { bulkOperations, ownOperations } from './own-operations.ts';
import { type Operation, type OwnOperation, restOperations } from './operations.ts';
import { asker, prove, provenPaths } from './proof.ts';
import { Rest } from './rest.ts';
import { type Effort, Meter, type Side } from './rounds.ts';
import { readSamples, type Samples } from './samples.ts';
import { type MeasuredServer, startParlour, startPostgraphile, startYardstick } from './servers.ts';
import { runTrial, type TrialOutcome } from './trial.ts';
import { trials } from './trials.ts';

/** What one operation costs on both sides. */
export interface Outcome {
  name: string;
  goal: number | null;
  against: Operation['against'];
  theirs: Figures;
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

/** An operation that could not be measured, and why. */
export interface Failure {
  name: string;
  failure: string;
}

export interface BenchResult {
  /** How many answers were found equal before anything was measured. */
  proven: number;
  outcomes: Outcome[];
  own: OwnOutcome[];
  trials: TrialOutcome[];
  failures: Failure[];
}

export interface BenchOptions extends Effort {
  /** Only the operation of this name, or those whose name has it in it. */
  only?: string | undefined;
  /** Those that are not measured, by the same rule. */
  without?: ((name: string) => boolean) | undefined;
  /** Counts of the trials: of the full data set, or so few that each takes a moment. */
  small?: boolean;
  /** How long to go on where something shows only after a while. */
  minutes?: number;
  /** Flags of Node for Parlour's process. */
  flags?: readonly string[];
  /** Called after each operation and trial, with the span in which it was measured; a failure has none. */
  told?: (outcome: Outcome | OwnOutcome | TrialOutcome | Failure, span?: Span) => void;
}

/** From when to when, in microseconds of the machine's monotonic clock, which is that of a profile too. */
export interface Span {
  from: number;
  to: number;
}

type Chosen = (operation: { name: string }) => boolean;

/**
 * Starts the yardstick, PostGraphile and Parlour over the same database, proves that yardstick and Parlour answer the
 * same, and measures them in turn; then what has no counterpart, and then each trial by itself.
 * @throws Error when an answer differs. An operation that fails is among the `failures`, and the others go on.
 */
export async function runBench(
  database: Pick<BenchDatabase, 'company' | 'user' | 'key' | 'url' | 'empty'>,
  options: BenchOptions,
): Promise<BenchResult> {
  const {
    only = '',
    without = () => false,
    small = false,
    minutes = 1,
    flags = [],
    told = () => {},
  } = options;
  const samples = await readSamples(database);
  const compared = [...restOperations(samples), ...graphqlOperations(samples)];
  const own = [...ownOperations(samples), ...bulkOperations(samples)];
  const exact = [...compared, ...own, ...trials].some(({ name }) => name === only);
  const chosen: Chosen = ({ name }) => (exact ? name === only : name.includes(only)) && !without(name);
  const result: BenchResult = { proven: 0, outcomes: [], own: [], trials: [], failures: [] };
  const operations = { compared: compared.filter(chosen), own: own.filter(chosen) };
  if (operations.compared.length + operations.own.length > 0)
    await measureOperations(database, samples, operations, result, { ...options, told });
  for (const trial of trials.filter(chosen)) {
    await vacuum(database.url);
    const from = monotonic();
    const outcome = await runTrial(trial, database, { small, minutes, flags });
    result.trials.push(outcome);
    told(outcome, { from, to: monotonic() });
  }
  return result;
}

interface Operations {
  compared: readonly Operation[];
  own: readonly OwnOperation[];
}

/** Adds to `result` what comes of them. */
async function measureOperations(
  database: Parameters<typeof runBench>[0],
  samples: Samples,
  { compared, own }: Operations,
  result: BenchResult,
  { flags = [], told = () => {}, ...effort }: BenchOptions,
): Promise<void> {
  const servers: MeasuredServer[] = [];
  const started = async (starting: Promise<MeasuredServer>) => {
    const server = await starting;
    servers.push(server);
    return server;
  };
  try {
    const yardstick = await started(startYardstick(database));
    const parlour = await started(startParlour(database, { flags }));
    result.proven = await prove(
      provenPaths(samples),
      asker(yardstick.url, database.key),
      asker(parlour.url, database.key),
    );
    if (own.some(({ name }) => name.startsWith('order'))) await stockUp(parlour.url, database.key, samples);
    const peers: Partial<Record<Operation['against'], MeasuredServer>> = { yardstick };
    if (compared.some(({ against }) => against === 'postgraphile'))
      peers.postgraphile = await started(startPostgraphile(database));
    const meter = await Meter.open(database.url, database.key);
    const attempt = async (name: string, measure: () => Promise<Outcome | OwnOutcome>) => {
      try {
        await vacuum(database.url);
        const from = monotonic();
        const outcome = await measure();
        if ('ratio' in outcome) result.outcomes.push(outcome);
        else result.own.push(outcome);
        told(outcome, { from, to: monotonic() });
        await untilIdle(database.url);
      } catch (error) {
        const failed = { name, failure: error instanceof Error ? error.message : String(error) };
        result.failures.push(failed);
        told(failed);
      }
    };
    try {
      for (const operation of compared)
        await attempt(operation.name, () =>
          compare(meter, operation, peers[operation.against], parlour, effort),
        );
      for (const operation of own)
        await attempt(operation.name, () => measureOwn(meter, operation, parlour, effort));
    } finally {
      await meter.close();
    }
  } catch (error) {
    const logs = servers.map(({ side, said }) => `The log of ${side} ends:\n${said()}`);
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${logs.join('\n')}`, {
      cause: error,
    });
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

function monotonic(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

/** Orders of a whole run find something to sell. */
async function stockUp(url: string, key: string, { orderable }: Samples): Promise<void> {
  const rest = new Rest(url, key);
  await Promise.all(orderable.map((id) => rest.ask('PATCH', `/products/${id}`, { stock: 1_000_000 })));
  await rest.close();
}

async function compare(
  meter: Meter,
  { name, goal, against, requests, theirRequests = requests }: Operation,
  peer: MeasuredServer | undefined,
  parlour: MeasuredServer,
  effort: Effort,
): Promise<Outcome> {
  if (!peer) throw new Error(`There is no ${against}.`);
  const sides = [
    { ...sideOf(peer), requests: theirRequests },
    { ...sideOf(parlour), requests },
  ];
  const [theirs = [], ours = []] = await meter.compare(sides, effort);
  return {
    name,
    goal,
    against,
    theirs: figuresOf(theirs),
    parlour: figuresOf(ours),
    ratio: ratioOf(ours, theirs),
  };
}

async function measureOwn(
  meter: Meter,
  { name, p99, requests }: OwnOperation,
  parlour: MeasuredServer,
  effort: Effort,
): Promise<OwnOutcome> {
  const [ours = []] = await meter.compare([{ ...sideOf(parlour), requests }], {
    ...effort,
    // A latency to be kept is not that of a queue.
    connections: p99 === null ? effort.connections : Math.min(effort.connections, 2),
    warmUp: Math.min(effort.warmUp, requests.length * 20),
  });
  return { name, p99, parlour: figuresOf(ours) };
}

function sideOf({ side, url, pid }: MeasuredServer): Side {
  return { name: side, url, pid, application: side };
}
