import { chmod, constants, copyFile } from 'node:fs/promises';
import path from 'node:path';
import { migrate } from '../platform/migrate.ts';
import { type Cli, CliError, type CommandGroup } from './cli.ts';
import { openDatabase } from './with-database.ts';

export const initCommand: CommandGroup = (program, cli) => {
  program
    .command('init')
    .description(
      'a new installation: a .env to fill in, unless there is one, and a database with the present schema; prints {settings, created, applied}',
    )
    .option(
      '--settings <file>',
      'where the settings go, for a service manager that reads them (default: .env)',
    )
    .action((options: { settings?: string }) => init(cli, options.settings));
};

async function init(cli: Cli, file?: string): Promise<void> {
  const { projectDir } = cli.config();
  const settings = file === undefined ? path.join(projectDir, '.env') : path.resolve(file);
  const created = await copyNew(path.join(projectDir, '.env.example'), settings);
  const database = await openDatabase(cli.config(), cli.log());
  try {
    const { applied } = await migrate({ databaseUrl: database.url });
    cli.print(
      { settings, created, applied },
      [
        created ? `Settings to fill in: ${settings}` : `${settings} is there already and stays as it is.`,
        applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.length} migrations.`,
        'Next: parlour companies create, then npm start.',
      ].join('\n'),
    );
  } finally {
    await database.close();
  }
}

/** @returns whether there was none */
async function copyNew(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL);
    // Passwords will stand in it.
    await chmod(to, 0o600);
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    throw new CliError(`${to} can’t be written: ${message}`);
  }
}
