import { checkCount, examine, type Finding } from '../doctor/examine.ts';
import { pendingMigrations } from '../platform/migrate.ts';
import { type Cli, CliError, type CommandGroup, exitCode } from './cli.ts';
import { startProgress } from './progress.ts';
import { openDatabase } from './with-database.ts';

export const doctorCommand: CommandGroup = (program, cli) => {
  program
    .command('doctor')
    .description('check every invariant of a live database; names each violation and changes nothing')
    .action(() => doctor(cli));
};

async function doctor(cli: Cli): Promise<void> {
  const database = await openDatabase(cli.config(), cli.log());
  try {
    const pending = await pendingMigrations(database.url);
    if (pending.length > 0)
      throw new CliError(`The database is not up to date (${pending.join(', ')}): run parlour migrate.`);
    const progress = startProgress(cli, 'Checking', checkCount);
    const findings = await examine(database.url, () => progress.add());
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
