import { checkCount, examine, type Finding } from '../doctor/examine.ts';
import { examineSurroundings, groundCount, schemaIsCurrent } from '../doctor/surroundings.ts';
import { type Cli, type CommandGroup, exitCode } from './cli.ts';
import { startProgress } from './progress.ts';
import { openDatabase } from './with-database.ts';

export const doctorCommand: CommandGroup = (program, cli) => {
  program
    .command('doctor')
    .description(
      'check this machine, its settings and every invariant of a live database; names each violation and changes nothing',
    )
    .action(() => doctor(cli));
};

async function doctor(cli: Cli): Promise<void> {
  const database = await openDatabase(cli.config(), cli.log());
  try {
    const progress = startProgress(cli, 'Checking', groundCount + checkCount);
    const findings = await examineSurroundings(cli.config(), database.url);
    progress.add(groundCount);
    const current = findings.every(({ name, count }) => name !== schemaIsCurrent || count === 0);
    if (current) findings.push(...(await examine(database.url, () => progress.add())));
    progress.stop();
    const healthy = findings.every(({ count }) => count === 0);
    if (!healthy) cli.exitCode = exitCode.failure;
    cli.print({ healthy, checks: findings }, findings.map(describe).join('\n'));
  } finally {
    await database.close();
  }
}

function describe({ name, holds, count, violations }: Finding): string {
  if (count === 0) return `ok    ${name}`;
  const lines = violations.map(({ company, id, detail }) => `        ${company ?? '-'}  ${id}  ${detail}`);
  const more = count > violations.length ? [`        and ${count - violations.length} more`] : [];
  return [`WRONG ${name}: ${holds} ${count} do not.`, ...lines, ...more].join('\n');
}
