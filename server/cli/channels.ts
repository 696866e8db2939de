import { Option } from 'commander';
import { WebchatConfig } from '../../schema/webchat.ts';
import { createChannel } from '../channels/service.ts';
import { publicUrlFor } from '../platform/config.ts';
import { execute } from '../platform/operation.ts';
import { showWebchatSettings, webchatSnippet } from '../webchat/service.ts';
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
  const channels = program.command('channels').description('ways that messages of a company travel');
  channels
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
      const told = `Channel ${channel.id} (${channel.kind}, ${channel.name}).`;
      if (channel.kind !== 'webchat') return cli.print({ id: channel.id, kind: channel.kind }, told);
      const snippet = webchatSnippet(publicUrlFor(cli.config()), channel.id);
      const lines = [told, '', 'Put this on your pages:', `  ${snippet}`, ...hints(channel.config)];
      cli.print({ id: channel.id, kind: channel.kind, snippet }, lines.join('\n'));
    });
  channels
    .command('webchat <channel>')
    .description('how a webchat channel is put on a page; prints {channel, snippet, identity_secret, csp}')
    .requiredOption('--company <id>', 'id of the company')
    .action(async (channel: string, { company }: { company: string }) => {
      const settings = await withApp(cli, async (app) =>
        execute(showWebchatSettings, await companyContext(app, company), { channel }),
      );
      const policy = Object.entries(settings.csp).map(([name, value]) => `  ${name} ${value}`);
      const lines = [
        settings.snippet,
        '',
        `Identity secret: ${settings.identity_secret}`,
        'A Content-Security-Policy needs:',
        ...policy,
      ];
      cli.print(settings, lines.join('\n'));
    });
};

function hints(config: unknown): string[] {
  const { allowed_origins: origins } = WebchatConfig.parse(config);
  if (origins.length > 0) return [];
  return [
    '',
    'No page but our own may show it yet: allow yours with --config \'{"allowed_origins":["https://…"]}\'.',
  ];
}

function readJson(option: string, source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    throw new CliError(`${option}: must be JSON.`, exitCode.usage);
  }
}
