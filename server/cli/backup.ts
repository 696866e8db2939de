import { type BackupCounts, secretMark } from '../backup/format.ts';
import { pendingMigrations } from '../platform/migrate.ts';
import { Storage } from '../platform/storage.ts';
import { type Cli, CliError, type CommandGroup } from './cli.ts';
import { type Progress, startProgress } from './progress.ts';
import { openDatabase } from './with-database.ts';

export const backupCommands: CommandGroup = (program, cli) => {
  program
    .command('backup')
    .description(
      'all records, waiting jobs and files in one file, while the server runs; SECRET is not in it',
    )
    .argument('<file>', 'file to write, as parlour.backup.gz')
    .action((file: string) => backup(cli, file));
  program
    .command('restore')
    .description('bring a backup back into an empty database, whole or not at all')
    .argument('<file>', 'file that backup wrote')
    .option('--other-secret', 'take a backup that was made with another SECRET; sealed credentials are lost')
    .action((file: string, { otherSecret }: { otherSecret?: true }) =>
      restore(cli, file, otherSecret ?? false),
    );
};

async function backup(cli: Cli, file: string): Promise<void> {
  const config = cli.config();
  const { writeBackup } = await import('../backup/write.ts');
  await over(cli, 'Saving', async (databaseUrl, progress) => {
    const pending = await pendingMigrations(databaseUrl);
    if (pending.length > 0)
      throw new CliError(`The database is not up to date (${pending.join(', ')}): run parlour migrate.`);
    const counts = await writeBackup({
      databaseUrl,
      storage: await Storage.open(config.storageUrl),
      secretMark: secretMark(config.secrets),
      file,
      now: new Date(),
      ...progress,
    });
    cli.print({ file, ...counts }, `Saved ${described(counts)} to ${file}.`);
  });
}

async function restore(cli: Cli, file: string, otherSecret: boolean): Promise<void> {
  const config = cli.config();
  const { restoreBackup } = await import('../backup/restore.ts');
  await over(cli, 'Restoring', async (databaseUrl, progress) => {
    const counts = await restoreBackup({
      databaseUrl,
      storage: await Storage.open(config.storageUrl),
      secretMark: otherSecret ? null : secretMark(config.secrets),
      file,
      log: cli.log(),
      ...progress,
    });
    cli.print(counts, `Restored ${described(counts)}. parlour doctor checks that all of it holds together.`);
  });
}

type Told = { onTotal(rows: number): void; onRows(rows: number): void };

/** Runs `work` over the database as it is, and shows how far it is. */
async function over(
  cli: Cli,
  title: string,
  work: (databaseUrl: string, told: Told) => Promise<void>,
): Promise<void> {
  const database = await openDatabase(cli.config(), cli.log());
  let progress: Progress | undefined;
  try {
    await work(database.url, {
      onTotal: (rows) => (progress = startProgress(cli, title, rows)),
      onRows: (rows) => progress?.add(rows),
    });
  } catch (error) {
    const call: unknown = error instanceof Error ? Reflect.get(error, 'syscall') : undefined;
    throw call === 'open' ? new CliError((error as Error).message) : error;
  } finally {
    progress?.stop();
    await database.close();
  }
}

function described({ rows, jobs, files }: BackupCounts): string {
  const count = (number: number, noun: string): string => `${number.toLocaleString('en')} ${noun}`;
  return `${count(rows, 'rows')}, ${count(jobs, 'jobs')} and ${count(files, 'files')}`;
}
