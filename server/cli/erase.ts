import { execute } from '../platform/operation.ts';
import { erasePerson } from '../privacy/service.ts';
import type { CommandGroup } from './cli.ts';
import { companyContext, withApp } from './context.ts';

export const eraseCommands: CommandGroup = (program, cli) => {
  const group = program
    .command('erase')
    .description('remove a person from everything that is kept; it can’t be undone');
  group
    .command('contact')
    .description(
      'delete a contact; a server that runs, or the next one, erases all about them within minutes',
    )
    .argument('<id>', 'id of the contact')
    .requiredOption('--company <id>', 'id of the company')
    .action(async (contact: string, { company }: { company: string }) => {
      const { id } = await withApp(cli, async (app) =>
        execute(erasePerson, await companyContext(app, company), { contact }),
      );
      cli.print({ id, deleted: true }, `Contact ${id} is deleted and will be erased.`);
    });
};
