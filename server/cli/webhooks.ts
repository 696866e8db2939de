import { execute } from '../platform/operation.ts';
import type { Services } from '../platform/services.ts';
import { acrossTenants } from '../platform/tenancy.ts';
import { presentWebhookEndpoint } from '../webhooks/present.ts';
import { resendWebhookDelivery, resendWebhookRange } from '../webhooks/resend.ts';
import { createWebhookEndpoint, deleteWebhookEndpoint, listWebhookEndpoints } from '../webhooks/service.ts';
import { type Cli, CliError, type CommandGroup, exitCode } from './cli.ts';
import { companyContext, withApp } from './context.ts';
import { listenCommand } from './listen.ts';

interface CreateOptions {
  company: string;
  url: string;
  events: string;
  description?: string;
  skipKey?: string;
}

interface ResendOptions {
  endpoint?: string;
  from?: string;
  to?: string;
  all?: boolean;
}

export const webhookCommands: CommandGroup = (program, cli) => {
  const webhooks = program.command('webhooks').description('endpoints that a company sends its events to');
  webhooks
    .command('create')
    .description('an endpoint; prints {id, secret}, the only time that the secret is shown')
    .requiredOption('--company <id>', 'id of the company')
    .requiredOption('--url <url>', 'where to send: https, port 443 or 8443')
    .requiredOption('--events <list>', 'comma-separated, such as message.delivered,order.paid; or * for all')
    .option('--description <text>', 'what it is for')
    .option('--skip-key <id>', 'API key whose own changes are not sent')
    .action((options: CreateOptions) => create(cli, options));
  webhooks
    .command('list')
    .description('the endpoints of a company')
    .requiredOption('--company <id>', 'id of the company')
    .action((options: { company: string }) => list(cli, options.company));
  webhooks
    .command('delete')
    .description('an endpoint with its deliveries')
    .argument('<id>', 'id of the endpoint')
    .action((id: string) => remove(cli, id));
  webhooks
    .command('resend')
    .description('one delivery, or what did not arrive since a time; a running server sends it')
    .argument('[delivery]', 'id of the delivery')
    .option('--endpoint <id>', 'endpoint of the range')
    .option('--from <time>', 'begin of the range, ISO 8601, at most 30 days ago')
    .option('--to <time>', 'end of the range (default: now)')
    .option('--all', 'also what did arrive')
    .action((delivery: string | undefined, options: ResendOptions) => resend(cli, delivery, options));
  listenCommand(webhooks, cli);
};

async function create(cli: Cli, options: CreateOptions): Promise<void> {
  const { company, url, events, description, skipKey } = options;
  const { id, secret } = await withApp(cli, async (app) =>
    execute(createWebhookEndpoint, await companyContext(app, company), {
      url,
      events: events
        .split(',')
        .map((type) => type.trim())
        .filter((type) => type !== ''),
      ...(description === undefined ? {} : { description }),
      ...(skipKey === undefined ? {} : { skip_key: skipKey }),
    }),
  );
  cli.print({ id, secret }, `${id}\n${secret}\nThis is the only time that the secret is shown.`);
}

async function list(cli: Cli, company: string): Promise<void> {
  const rows = await withApp(cli, async (app) =>
    execute(listWebhookEndpoints, await companyContext(app, company), {}),
  );
  const endpoints = rows.map(presentWebhookEndpoint);
  const lines = endpoints.map(
    ({ id, status, url, events }) => `${id}  ${status}  ${url}  ${events.join(',')}`,
  );
  cli.print(endpoints, lines.join('\n') || 'No endpoints.');
}

async function remove(cli: Cli, id: string): Promise<void> {
  await withApp(cli, async (app) => {
    const company = await companyOf('webhookEndpoint', app, id);
    return execute(deleteWebhookEndpoint, await companyContext(app, company), { endpoint: id });
  });
  cli.print({ id, deleted: true }, `Endpoint ${id} is deleted.`);
}

async function resend(cli: Cli, delivery: string | undefined, options: ResendOptions): Promise<void> {
  const { endpoint, from, to, all } = options;
  const one = delivery !== undefined;
  if (one === (endpoint !== undefined && from !== undefined))
    throw new CliError('Name one delivery, or --endpoint and --from.', exitCode.usage);
  const resent = await withApp(cli, async (app) => {
    if (one) {
      const company = await companyOf('webhookDelivery', app, delivery);
      await execute(resendWebhookDelivery, await companyContext(app, company), { delivery });
      return 1;
    }
    const company = await companyOf('webhookEndpoint', app, endpoint ?? '');
    const summary = await execute(resendWebhookRange, await companyContext(app, company), {
      endpoint,
      from,
      ...(to === undefined ? {} : { to }),
      ...(all ? { all } : {}),
    });
    return summary.resent;
  });
  cli.print({ resent }, `${resent} to be sent again.`);
}

const nouns = { webhookEndpoint: 'endpoint', webhookDelivery: 'delivery' } as const;

/** The commands name no company: ids are unique over all of them. */
async function companyOf(model: keyof typeof nouns, app: Services, id: string): Promise<string> {
  const query = { where: { id }, select: { companyId: true } };
  const found = await acrossTenants<{ companyId: string } | null>(() =>
    model === 'webhookEndpoint'
      ? app.prisma.webhookEndpoint.findFirst(query)
      : app.prisma.webhookDelivery.findFirst(query),
  );
  if (!found) throw new CliError(`There is no ${nouns[model]} ${id}.`);
  return found.companyId;
}
