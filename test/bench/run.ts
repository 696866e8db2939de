// `npm run bench`: measures Parlour against hand-written code on the same data.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type BenchResult, runBench } from './bench.ts';
import { circumstancesOf } from './circumstances.ts';
import { openBenchDatabase } from './database.ts';
import { sizes } from './dataset.ts';
import { type Profiled, writeProfiles } from './profile.ts';
import { summary, writeReport } from './report.ts';
import { runScale } from './run-scale.ts';

const { values } = parseArgs({
  options: {
    /** A data set that is made in seconds, to try the benchmark itself. */
    small: { type: 'boolean', default: false },
    /** Makes the data set anew. */
    fresh: { type: 'boolean', default: false },
    /** The lists at 20,000, 200,000 and 1,000,000 conversations instead. */
    scale: { type: 'boolean', default: false },
    /** Only the operation of this name, or those whose name has it in it. */
    only: { type: 'string' },
    /** How often all of it is done, each time on a fresh copy of the data. */
    runs: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '32' },
    /** How long memory is watched at saturation. */
    minutes: { type: 'string', default: '1' },
    /** Says where the CPU time of Parlour's process goes, by operation, and keeps it in `docs/benchmarks/profiles`. */
    profile: { type: 'boolean', default: false },
    /** Folder of the results; nothing is written for a part of the operations unless given. */
    out: { type: 'string' },
  },
});

const told = (text: string) => void process.stdout.write(`${text}\n`);

if (values.scale) await runScale(values.out ?? 'docs/benchmarks', told, values.small ? ['small'] : undefined);
else await measure();

async function measure(): Promise<void> {
  const size = values.small ? 'small' : 'full';
  const effort = {
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    connections: Number(values.connections),
    warmUp: values.small ? 200 : 2_000,
  };
  const folder = values.out ?? (values.only === undefined && !values.small ? 'docs/benchmarks' : undefined);
  const { contacts, conversations, messages } = sizes[size];

  const profiles = values.profile ? mkdtempSync(path.join(tmpdir(), 'parlour-bench-profile-')) : undefined;
  const spans: Profiled[] = [];
  const runs: BenchResult[] = [];
  for (let run = 1; run <= Number(values.runs); run++) {
    told(`Opening the data set of ${messages.toLocaleString('en')} messages …`);
    const database = await openBenchDatabase(size, values.fresh && run === 1);
    try {
      const result = await runBench(database, {
        ...effort,
        only: values.only,
        small: values.small,
        minutes: Number(values.minutes),
        flags:
          profiles === undefined
            ? []
            : ['--cpu-prof', `--cpu-prof-dir=${profiles}`, '--cpu-prof-interval=500'],
        told(outcome, span) {
          told(summary(outcome));
          if (!span) return;
          if ('parlour' in outcome) spans.push({ name: outcome.name, figures: outcome.parlour, ...span });
          else if ('findings' in outcome) spans.push({ name: outcome.name, figures: null, ...span });
        },
      });
      if (result.proven > 0) told(`${result.proven} answers of both were equal.`);
      runs.push(result);
      if (folder !== undefined) {
        const dataset = [
          [contacts, 'contacts'],
          [conversations, 'conversations'],
          [messages, 'messages'],
        ].map(([count, name]) => `${count?.toLocaleString('en')} ${name}`);
        // After each run, so that what was measured is kept when a later one is given up.
        const circumstances = await circumstancesOf(database.url, dataset.join(', '), effort);
        const goals = writeReport(folder, circumstances, runs);
        told(`Run ${run} of ${values.runs} is written to ${folder}.\n${goals}`);
      }
    } finally {
      await database.stop();
    }
  }
  if (profiles === undefined) return;
  for (const table of writeProfiles(profiles, spans, 'docs/benchmarks/profiles')) told(table);
  rmSync(profiles, { recursive: true });
}
