import { restoreCompany } from '../privacy/close-company.ts';
import { createCompany } from '../account/companies.ts';
import type { CommandGroup } from './cli.ts';
import { withApp } from './context.ts';

interface CreateOptions {
  name: string;
  ownerEmail: string;
  ownerPassword: string;
  ownerName?: string;
  timezone?: string;
  currency?: string;
}

export const companyCommands: CommandGroup = (program, cli) => {
  const companies = program.command('companies').description('companies of this installation');
  companies
    .command('restore')
    .description('open a company again that its Owner has closed, within 30 days')
    .argument('<id>', 'id of the company')
    .action(async (id: string) => {
      const opened = await withApp(cli, (app) => restoreCompany(app, id));
      cli.print(opened, `Company ${opened.id} (${opened.name}) is open again.`);
    });
  companies
    .command('create')
    .description('a company with its Owner and its sandbox; prints {company, owner}')
    .requiredOption('--name <name>', 'name of the company')
    .requiredOption('--owner-email <email>', 'e-mail that the Owner signs in with')
    .requiredOption('--owner-password <password>', 'at least 10 characters')
    .option('--owner-name <name>', 'display name of the Owner (default: from the e-mail)')
    .option('--timezone <zone>', 'IANA time zone (default: UTC)')
    .option('--currency <code>', 'ISO 4217 currency (default: USD)')
    .action(async (options: CreateOptions) => {
      const made = await withApp(cli, (app) => createCompany(app, options));
      cli.print(made, `Company ${made.company}, owner ${made.owner} (${options.ownerEmail}).`);
    });
};
