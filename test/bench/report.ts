import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BenchResult, Failure, Outcome, OwnOutcome } from './bench.ts';
import type { Circumstances } from './circumstances.ts';
import { readReasons, reasonFor } from './reasons.ts';
import { foreignLimit, median, middleOf, ratioOver } from './figures.ts';
import { type Finding, holds, type TrialOutcome } from './trial.ts';

/** A figure over the runs: the middle, and how far they lie apart. */
interface FindingOverRuns extends Finding {
  least: number;
  most: number;
}

/** An operation without a counterpart over the runs, with the least and the most of their p99. */
interface OwnOverRuns extends OwnOutcome {
  least: number;
  most: number;
}

interface Summary {
  proven: number;
  outcomes: Outcome[];
  own: OwnOverRuns[];
  findings: FindingOverRuns[];
  failures: Failure[];
}

/**
 * Writes `results.json`, with each run and what they come to, and `README.md` into a folder.
 * @returns how many goals hold and which do not, for the terminal
 */
export function writeReport(
  folder: string,
  circumstances: Circumstances,
  runs: readonly BenchResult[],
): string {
  mkdirSync(folder, { recursive: true });
  const result = overRuns(runs);
  const all = { circumstances, ...result, runs };
  writeFileSync(path.join(folder, 'results.json'), `${JSON.stringify(all, null, 2)}\n`);
  const scale = existsSync(path.join(folder, 'scale.md'));
  const goals = verdict(result, readReasons(folder));
  writeFileSync(path.join(folder, 'README.md'), markdown(circumstances, result, runs.length, goals, scale));
  return goals;
}

function overRuns(runs: readonly BenchResult[]): Summary {
  const outcomes = grouped(runs.flatMap((run) => run.outcomes));
  const own = grouped(runs.flatMap((run) => run.own));
  const trials = runs.flatMap((run) => run.trials);
  const findings = grouped(trials.flatMap((trial) => trial.findings));
  const failed = trials.flatMap(({ name, failure }) => (failure === null ? [] : [{ name, failure }]));
  return {
    proven: Math.max(0, ...runs.map(({ proven }) => proven)),
    outcomes: outcomes.map(([first, all]) => ({
      ...first,
      theirs: middleOf(all.map(({ theirs }) => theirs)),
      parlour: middleOf(all.map(({ parlour }) => parlour)),
      ratio: ratioOver(all.map(({ ratio }) => ratio)),
    })),
    own: own.map(([first, all]) => {
      const p99s = all.map(({ parlour }) => parlour.p99);
      const parlour = middleOf(all.map((one) => one.parlour));
      return { ...first, parlour, least: Math.min(...p99s), most: Math.max(...p99s) };
    }),
    findings: findings.map(([first, all]) => {
      const values = all.map(({ value }) => value);
      return { ...first, value: median(values), least: Math.min(...values), most: Math.max(...values) };
    }),
    failures: grouped([...runs.flatMap((run) => run.failures), ...failed]).map(([first]) => first),
  };
}

/** Those of one name together, in the order in which the names came first; one that failed in a run is of fewer. */
function grouped<T extends { name: string }>(all: readonly T[]): [T, T[]][] {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(one.name, [...(groups.get(one.name) ?? []), one]);
  return [...groups.values()].flatMap((group) => (group[0] ? [[group[0], group]] : []));
}

function markdown(at: Circumstances, summary: Summary, runs: number, goals: string, scale: boolean): string {
  const { proven, outcomes, own, findings, failures } = summary;
  const against = (peer: Outcome['against']) => outcomes.filter((outcome) => outcome.against === peer);
  const middle =
    runs > 1 ? `; the middle of ${runs} runs, and as spread the least and the most of the runs` : '';
  return `# Measured

Made by \`npm run bench${runs > 1 ? ` -- --runs ${runs}` : ''}\` on ${at.date.slice(0, 10)}, of ${at.commit}: Parlour ${at.parlour}, Node ${at.node}, PostgreSQL ${at.postgres},
PostGraphile ${at.postgraphile}; ${at.machine}, which load generator, server and
database share. Data set: ${at.dataset}. ${at.connections} connections,
${at.rounds} rounds of ${at.seconds} s for each side, one after the other${middle}. Each run with all its figures is in
[results.json](results.json).${scale ? ' How lists fare as the data grows is in [scale.md](scale.md).' : ''}

${goals}

## Against hand-written code

The yardstick is \`test/bench/yardstick.ts\`: \`node:http\`, \`pg\` and SQL by hand, without keys, limits, log or validation.
Before anything was measured, ${proven} answers of both were found equal. µs are CPU time for each request, server +
PostgreSQL; the ratio is of the sums, the middle of the rounds. A round is quiet when at most ${foreignLimit * 100} % of the machine
was busy with something else; where fewer than two were, all count, and the ratio is rough. req/s and latencies are
Parlour's, and say more about the machine than about Parlour.

${table([headAgainst('yardstick'), ...against('yardstick').map(rowOf)])}

## Against PostGraphile

The same records with the same relations over GraphQL. PostGraphile knows neither keys nor limits here.

${table([headAgainst('PostGraphile'), ...against('postgraphile').map(rowOf)])}

## By itself

What the yardstick does not have. Searches are asked over two connections, everything else over ${at.connections}.

${table([ownHead, ...own.map(ownRowOf)])}

${table([findingHead, ...findings.map(findingRowOf)])}
${failures.length === 0 ? '' : `\n## What could not be measured\n\n${failures.map(failureLine).join('\n')}\n`}`;
}

/** How many goals hold, and which do not, with why as far as a profile says so. */
function verdict({ outcomes, own, findings }: Summary, reasons: ReturnType<typeof readReasons>): string {
  const goals = [
    ...outcomes.flatMap(({ name, goal, ratio }) =>
      goal === null
        ? []
        : [{ name, held: ratio.median <= goal, told: `${ratio.median.toFixed(2)}× for ${goal}×` }],
    ),
    ...own.flatMap(({ name, p99, parlour }) =>
      p99 === null
        ? []
        : [{ name, held: parlour.p99 <= p99, told: `p99 ${amount(parlour.p99)} ms for ${p99}` }],
    ),
    ...findings.flatMap((finding) => {
      const held = holds(finding);
      return held === null
        ? []
        : [
            {
              name: finding.name,
              held,
              told: `${withUnit(finding.value, finding.unit)} for ${goalOf(finding)}`,
            },
          ];
    }),
  ];
  const missed = goals.filter(({ held }) => !held);
  const held = `${goals.length - missed.length} of ${goals.length} goals hold.`;
  if (missed.length === 0) return held;
  const lines = missed.map(({ name, told }) => {
    const reason = reasonFor(name, reasons);
    return `- ${name}: ${told}${reason ? `. ${reason.text} ([profile](${reason.profile}))` : ''}`;
  });
  return `${held} Missed:\n\n${lines.join('\n')}`;
}

function failureLine({ name, failure }: Failure): string {
  return `- ${name}: ${failure.split('\n')[0]}`;
}

function headAgainst(peer: string): string[] {
  return [
    'operation',
    `${peer} µs`,
    'Parlour µs',
    'ratio',
    'spread',
    'goal',
    'req/s',
    'p50 ms',
    'p99 ms',
    'quiet rounds',
  ];
}

function rowOf({ name, goal, theirs, parlour, ratio }: Outcome): string[] {
  return [
    name,
    `${Math.round(theirs.server)} + ${Math.round(theirs.postgres)}`,
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

const ownHead = ['operation', 'Parlour µs', 'req/s', 'p50 ms', 'p99 ms', 'spread', 'slowest ms', 'goal'];

function ownRowOf({ name, p99, parlour, least, most }: OwnOverRuns): string[] {
  return [
    name,
    `${Math.round(parlour.server)} + ${Math.round(parlour.postgres)}`,
    Math.round(parlour.perSecond).toString(),
    parlour.p50.toFixed(1),
    parlour.p99.toFixed(1),
    least === most ? '–' : `${least.toFixed(1)}–${most.toFixed(1)}`,
    parlour.most.toFixed(1),
    p99 === null ? '–' : `p99 ≤ ${p99} ms ${parlour.p99 <= p99 ? 'held' : 'missed'}`,
  ];
}

const findingHead = ['figure', 'measured', 'spread', 'goal', 'how'];

function findingRowOf(finding: FindingOverRuns): string[] {
  const { name, value, unit, least, most, how } = finding;
  const held = holds(finding);
  return [
    name,
    withUnit(value, unit),
    least === most ? '–' : `${amount(least)}–${amount(most)}`,
    held === null ? '–' : `${goalOf(finding)} ${held ? 'held' : 'missed'}`,
    how ?? '',
  ];
}

function goalOf({ goal, unit }: Finding): string {
  if (!goal) return '';
  return 'most' in goal ? `≤ ${withUnit(goal.most, unit)}` : `≥ ${withUnit(goal.least, unit)}`;
}

function withUnit(value: number, unit: string): string {
  return `${amount(value)}${unit.startsWith('/') || unit === '×' || unit === '' ? '' : ' '}${unit}`;
}

function amount(value: number): string {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}

/** Rows as a table of Markdown; the first is its head. */
export function table(rows: readonly string[][]): string {
  const [first = []] = rows;
  const widths = first.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  return [line(first), rule, ...rows.slice(1).map(line)].join('\n');
}

/** What came of it, for the terminal. */
export function summary(outcome: Outcome | OwnOutcome | TrialOutcome | Failure): string {
  if ('ratio' in outcome) {
    const [name = '', theirs, ours, ratio, spread, goal] = rowOf(outcome);
    return `${name.padEnd(42)} ${theirs?.padStart(13)} ${ours?.padStart(13)} ${ratio?.padStart(7)} (${spread}) ${goal}`;
  }
  if ('parlour' in outcome) {
    const { p99: once } = outcome.parlour;
    const [name = '', cost, , p50, p99, , , goal] = ownRowOf({ ...outcome, least: once, most: once });
    return `${name.padEnd(42)} ${''.padStart(13)} ${cost?.padStart(13)} p50 ${p50} p99 ${p99} ms ${goal}`;
  }
  if (!('findings' in outcome)) return `${outcome.name.padEnd(42)} could not be measured: ${outcome.failure}`;
  const { name, seconds, findings, failure } = outcome;
  if (failure !== null) return `${name.padEnd(42)} could not be measured: ${failure}`;
  const lines = findings.map((finding) => {
    const [title = '', measured, , goal] = findingRowOf({
      ...finding,
      least: finding.value,
      most: finding.value,
    });
    return `${title.padEnd(56)} ${measured?.padStart(13)} ${goal}`;
  });
  return `${lines.join('\n')}  (${Math.round(seconds)} s)`;
}
