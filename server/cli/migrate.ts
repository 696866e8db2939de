import { migrate } from '../platform/migrate.ts';
import type { CommandGroup } from './cli.ts';
import { openDatabase } from './with-database.ts';

export const migrateCommand: CommandGroup = (program, cli) => {
  program
    .command('migrate')
    .description('bring the database to the present schema')
    .action(async () => {
      const database = await openDatabase(cli.config(), cli.log());
      try {
        const { applied } = await migrate({ databaseUrl: database.url });
        const text = applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}`;
        cli.print({ applied }, text);
      } finally {
        await database.close();
      }
    });
};
