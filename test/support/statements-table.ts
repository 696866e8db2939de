// `npm run statements`: writes docs/reliability/README.md from the statements, the titles of tests and recorded runs.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Proof, proofs, recorded, type Run, sections, type Statement } from './statements.ts';

const proven = proofs();

function commandFor({ file }: Proof): string {
  if (file.startsWith('test/fuzz/')) return 'npm run fuzz';
  return file.startsWith('test/faults/') || file.endsWith('kill.test.ts')
    ? `npm run faults -- ${path.basename(file, '.test.ts')}`
    : `npm test -- ${file}`;
}

function row(statement: Statement): string {
  const { id, tier, says, figure } = statement;
  const tests = proven.get(id) ?? [];
  const runs = runsOf(id).map((run) => `${run.figure} (${run.seconds} s, ${run.on})`);
  const reached = runs.length > 0 ? runs.join('<br>') : tests.length > 0 && tier === 'P' ? 'each run' : '–';
  const names = tests.map(({ title }) => title.replaceAll('|', '\\|')).join('<br>');
  const commands = [...new Set(tests.map(commandFor))].map((command) => `\`${command}\``).join('<br>');
  return `| ${[id, tier, says, figure, reached, names || '–', commands || '–'].join(' | ')} |`;
}

/** Small runs tell something as long as there are not three in full. */
function runsOf(id: string): Run[] {
  const runs = recorded[id] ?? [];
  const full = runs.filter(({ size }) => size === 'full');
  return full.length >= 3 ? full : runs;
}

const tables = sections.map(
  ({ section, statements }) =>
    `## ${section}\n\n| id | tier | what holds | figure asked for | reached | tests | command |\n| --- | --- | --- | --- | --- | --- | --- |\n${statements.map(row).join('\n')}\n`,
);
const open = sections
  .flatMap(({ statements }) => statements)
  .flatMap((statement) => (statement.open ? [`- **${statement.id}**: ${statement.open}`] : []));
const text = `# What must hold, and what shows it

Made by \`npm run statements\` from \`statements.json\`, \`figures.json\` and the titles of tests; don't edit it.
Tier P holds in every run of \`npm test\`, N is run by \`npm run faults\`, R before a release. A test that proves a
statement has its id at the end of its title. \`RECORD=1 npm run faults\` adds what a run reached.

${tables.join('\n')}
## What no test shows in full

${open.join('\n')}
`;
writeFileSync(path.resolve(import.meta.dirname, '../../docs/reliability/README.md'), text);
