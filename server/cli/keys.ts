import { Option } from 'commander';
import { presentApiKey } from '../keys/present.ts';
import { createApiKey, listApiKeys, revokeApiKey } from '../keys/service.ts';
import { execute } from '../platform/operation.ts';
import { acrossTenants } from '../platform/tenancy.ts';
import { type Cli, CliError, type CommandGroup } from './cli.ts';
import { companyContext, withApp } from './context.ts';

interface CreateOptions {
  company: string;
  name: string;
  mode: 'live' | 'test';
  scopes: string;
  user?: string;
  expires?: string;
}

export const keyCommands: CommandGroup = (program, cli) => {
  const keys = program.command('keys').description('API keys of a company');
  keys
    .command('create')
    .description('a key; prints {id, key}, the only time that the key is shown')
    .requiredOption('--company <id>', 'id of the company')
    .requiredOption('--name <name>', 'what the key is for')
    .addOption(
      new Option('--mode <mode>', 'a test key changes nothing')
        .choices(['live', 'test'])
        .makeOptionMandatory(),
    )
    .requiredOption(
      '--scopes <list>',
      'comma-separated, such as contacts.view,inbox.access; also bookings.read, bookings.write',
    )
    .option('--user <email>', 'agent that the key acts as (default: the Owner)')
    .option('--expires <time>', 'ISO 8601, such as 2027-01-01T00:00:00Z')
    .action((options: CreateOptions) => create(cli, options));
  keys
    .command('list')
    .description('the keys of a company, newest first; secrets are never shown')
    .requiredOption('--company <id>', 'id of the company')
    .action((options: { company: string }) => list(cli, options.company));
  keys
    .command('revoke')
    .description('end a key, at once and for all processes')
    .argument('<id>', 'id of the key')
    .action((id: string) => revoke(cli, id));
};

async function create(
  cli: Cli,
  { company, name, mode, scopes, user, expires }: CreateOptions,
): Promise<void> {
  const { id, key } = await withApp(cli, async (app) =>
    execute(createApiKey, await companyContext(app, company), {
      name,
      mode,
      scopes: scopes
        .split(',')
        .map((scope) => scope.trim())
        .filter((scope) => scope !== ''),
      ...(user === undefined ? {} : { user }),
      ...(expires === undefined ? {} : { expires_at: expires }),
    }),
  );
  cli.print({ id, key }, `${key}\nThis is the only time that the key is shown.`);
}

async function list(cli: Cli, company: string): Promise<void> {
  const rows = await withApp(cli, async (app) =>
    execute(listApiKeys, await companyContext(app, company), {}),
  );
  const keys = rows.map(presentApiKey);
  const lines = keys.map(
    (key) => `${key.id}  ${key.mode}  ${key.revoked_at ? 'revoked' : 'active '}  ${key.name}`,
  );
  cli.print(keys, lines.join('\n') || 'No keys.');
}

async function revoke(cli: Cli, id: string): Promise<void> {
  const revoked = await withApp(cli, async (app) => {
    // The command names no company: an id is unique over all of them.
    const key = await acrossTenants(() =>
      app.prisma.apiKey.findUnique({ where: { id }, select: { companyId: true } }),
    );
    if (!key) throw new CliError(`There is no key ${id}.`);
    return execute(revokeApiKey, await companyContext(app, key.companyId), { key: id });
  });
  cli.print({ id, revoked_at: revoked.revokedAt?.toISOString() ?? null }, `Key ${id} is revoked.`);
}
