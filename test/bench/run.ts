// `npm run bench`: measures Parlour against hand-written code on the same data.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runBench } from './bench.ts';
import { openBenchDatabase } from './database.ts';
import { sizes } from './dataset.ts';
import { circumstancesOf, summary, writeReport } from './report.ts';

const { values } = parseArgs({
  options: {
    /** A data set that is made in seconds, to try the benchmark itself. */
    small: { type: 'boolean', default: false },
    /** Makes the data set anew. */
    fresh: { type: 'boolean', default: false },
    /** Only the operations whose name has this in it. */
    only: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '32' },
    /** Writes what Parlour's process does into this folder, as a profile of the CPU. */
    profile: { type: 'string' },
    /** Folder of the results; nothing is written for a part of the operations unless given. */
    out: { type: 'string' },
  },
});

const size = values.small ? 'small' : 'full';
const effort = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  connections: Number(values.connections),
  warmUp: values.small ? 200 : 2_000,
};
const folder = values.out ?? (values.only === undefined && !values.small ? 'docs/benchmarks' : undefined);
const { contacts, conversations, messages } = sizes[size];
const told = (text: string) => process.stdout.write(`${text}\n`);

told(`Opening the data set of ${messages.toLocaleString('en')} messages …`);
const database = await openBenchDatabase(size, values.fresh);
try {
  const result = await runBench(database, {
    ...effort,
    only: values.only,
    flags:
      values.profile === undefined
        ? []
        : ['--cpu-prof', `--cpu-prof-dir=${path.resolve(values.profile)}`, '--cpu-prof-interval=500'],
    told: (outcome) => told(summary(outcome)),
  });
  told(`${result.proven} answers of both were equal.`);
  if (folder !== undefined) {
    const dataset = [
      [contacts, 'contacts'],
      [conversations, 'conversations'],
      [messages, 'messages'],
    ].map(([count, name]) => `${count?.toLocaleString('en')} ${name}`);
    const circumstances = await circumstancesOf(database.url, dataset.join(', '), effort);
    writeReport(folder, circumstances, result);
    told(`Written to ${folder}.`);
  }
} finally {
  await database.stop();
}
