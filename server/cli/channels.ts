import { Option } from 'commander';
import { createChannel } from '../channels/service.ts';
import { execute } from '../platform/operation.ts';
import { CliError, type CommandGroup, exitCode } from './cli.ts';
import { companyContext, withApp } from './context.ts';

interface CreateOptions {
  company: string;
  kind: string;
  name: string;
  config?: string;
  credentials?: string;
}

const kinds = ['simulator', 'webchat', 'whatsapp', 'email'];

export const channelCommands: CommandGroup = (program, cli) => {
  program
    .command('channels')
    .description('ways that messages of a company travel')
    .command('create')
    .description('a channel; prints {id, kind}. The first one of a company is its default')
    .requiredOption('--company <id>', 'id of the company')
    .addOption(new Option('--kind <kind>', 'what travels').choices(kinds).makeOptionMandatory())
    .requiredOption('--name <name>', 'at most 30 characters, unique in the company')
    .option('--config <json>', 'settings of the kind, such as {"delays":{"read":0}} of a simulator')
    .option('--credentials <json>', 'what the provider asks for; kept encrypted')
    .action(async ({ company, kind, name, config, credentials }: CreateOptions) => {
      const settings = {
        ...(config === undefined ? {} : { config: readJson('--config', config) }),
        ...(credentials === undefined ? {} : { credentials: readJson('--credentials', credentials) }),
      };
      const channel = await withApp(cli, async (app) =>
        execute(createChannel, await companyContext(app, company), { kind, name, ...settings }),
      );
      cli.print(
        { id: channel.id, kind: channel.kind },
        `Channel ${channel.id} (${channel.kind}, ${channel.name}).`,
      );
    });
};

function readJson(option: string, source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    throw new CliError(`${option}: must be JSON.`, exitCode.usage);
  }
}
