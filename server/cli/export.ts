import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InvalidArgumentError, Option } from 'commander';
import { countCampaigns, countRecipients, exportCampaigns, exportRecipients } from '../campaigns/export.ts';
import { countContacts, exportContacts } from '../contacts/export.ts';
import { countOrders, exportOrders } from '../orders/export.ts';
import type { Context } from '../platform/context.ts';
import type { ExportOptions } from '../platform/csv-export.ts';
import { execute } from '../platform/operation.ts';
import { snakeCase } from '../platform/pagination.ts';
import { exportPerson } from '../privacy/export.ts';
import { countProducts, exportProducts } from '../products/export.ts';
import { type Cli, CliError, type CommandGroup, exitCode } from './cli.ts';
import { companyContext, withApp } from './context.ts';
import { startProgress } from './progress.ts';

interface Resource {
  title: string;
  filters: Option[];
  count(ctx: Context, filters: object): Promise<number>;
  write(ctx: Context, filters: object, options: ExportOptions): AsyncGenerator<string>;
}

const flag = (name: string, text: string) => new Option(`--${name} <flag>`, text).argParser(yes);

const resources: Record<string, Resource> = {
  contacts: {
    title: 'Exporting contacts',
    filters: [
      new Option('--q <text>', 'text in name, phone or e-mail'),
      new Option('--phone <phone>', 'phone number'),
      new Option('--country <code>', 'two letters'),
      flag('blocked', 'only blocked ones, or only others'),
      flag('subscribed', 'only subscribed ones, or only others'),
      new Option('--sort <order>', 'created_at (newest first) or name'),
    ],
    count: (ctx, filters) => execute(countContacts, ctx, filters),
    write: exportContacts,
  },
  products: {
    title: 'Exporting products',
    filters: [
      new Option('--q <text>', 'text in name or SKU'),
      new Option('--status <status>', 'draft, active or archived'),
      flag('in-stock', 'only what is available, or only what is not'),
      new Option('--sort <order>', 'created_at (newest first) or name'),
    ],
    count: (ctx, filters) => execute(countProducts, ctx, filters),
    write: exportProducts,
  },
  orders: {
    title: 'Exporting orders',
    filters: [
      new Option('--status <status>', 'status of the order'),
      new Option('--payment-status <status>', 'unpaid, paid or refunded'),
      new Option('--contact <id>', 'id of the contact'),
      new Option('--conversation <id>', 'id of the conversation'),
      new Option('--q <text>', 'order number, or text in the contact’s name, phone or e-mail'),
      new Option('--from <time>', 'created at or after, ISO 8601'),
      new Option('--to <time>', 'created before, ISO 8601'),
    ],
    count: (ctx, filters) => execute(countOrders, ctx, filters),
    write: exportOrders,
  },
  campaigns: {
    title: 'Exporting campaigns',
    filters: [new Option('--status <status>', 'status of the campaign')],
    count: (ctx, filters) => execute(countCampaigns, ctx, filters),
    write: exportCampaigns,
  },
  recipients: {
    title: 'Exporting recipients',
    filters: [
      new Option('--campaign <id>', 'id of the campaign').makeOptionMandatory(),
      new Option('--status <status>', 'pending, claimed, sent, delivered, read, failed or skipped'),
      new Option('--skip-reason <reason>', 'why they were left out, as no_address'),
    ],
    count: (ctx, filters) => execute(countRecipients, ctx, filters),
    write: exportRecipients,
  },
};

interface Options {
  company: string;
  file?: string;
  bom?: boolean;
  [filter: string]: unknown;
}

export const exportCommands: CommandGroup = (program, cli) => {
  const group = program.command('export').description('records of a company as CSV; prints {rows, file}');
  for (const [name, resource] of Object.entries(resources)) {
    const command = group
      .command(name)
      .description(
        `${name} as CSV (UTF-8, commas${name === 'orders' ? ', one row for each line of an order' : ''}); a cell that a spreadsheet would run as a formula begins with ’`,
      )
      .requiredOption('--company <id>', 'id of the company')
      .option('--file <path>', 'file to write (default: standard output)')
      .option('--bom', 'begin with a byte order mark, for spreadsheets');
    for (const filter of resource.filters) command.addOption(filter);
    command.action((options: Options) => run(cli, resource, options));
  }
  group
    .command('contact')
    .description('everything that is kept about one contact, as JSON')
    .argument('<id>', 'id of the contact')
    .requiredOption('--company <id>', 'id of the company')
    .option('--file <path>', 'file to write (default: standard output)')
    .action((id: string, options: { company: string; file?: string }) => person(cli, id, options));
};

async function run(cli: Cli, resource: Resource, { company, file, bom, ...given }: Options): Promise<void> {
  if (cli.json && file === undefined)
    throw new CliError('--json needs --file: standard output is for the JSON value.', exitCode.usage);
  const filters = Object.fromEntries(Object.entries(given).map(([name, value]) => [snakeCase(name), value]));
  const rows = await withApp(cli, async (app) => {
    const ctx = await companyContext(app, company);
    const total = await resource.count(ctx, filters);
    const progress = startProgress(cli, resource.title, total);
    let written = 0;
    const text = resource.write(ctx, filters, {
      byteOrderMark: bom ?? false,
      onProgress(records, lines) {
        written += lines;
        progress.add(records);
      },
    });
    try {
      await (file === undefined ? toStandardOutput(text) : toFile(text, file));
    } finally {
      progress.stop();
    }
    return written;
  });
  if (file !== undefined) cli.print({ rows, file }, `Exported ${rows.toLocaleString('en')} to ${file}.`);
}

async function person(
  cli: Cli,
  contact: string,
  { company, file }: { company: string; file?: string },
): Promise<void> {
  const found = await withApp(cli, async (app) =>
    execute(exportPerson, await companyContext(app, company), { contact }),
  );
  const rows = Object.values(found).reduce((sum, all) => sum + all.length, 0);
  const text = `${JSON.stringify(found, null, 2)}\n`;
  if (file === undefined) cli.print(found, text.trimEnd());
  else {
    await toFile(Readable.from([text]), file);
    cli.print({ rows, file }, `Exported ${rows.toLocaleString('en')} to ${file}.`);
  }
}

function yes(value: string): boolean {
  if (!['1', '0', 'true', 'false'].includes(value))
    throw new InvalidArgumentError('Must be 1, 0, true or false.');
  return value === '1' || value === 'true';
}

/** Under another name until it is whole, so that a file of this name is never half of one. */
async function toFile(text: AsyncIterable<string>, file: string): Promise<void> {
  const part = `${file}.part`;
  try {
    await pipeline(text, createWriteStream(part));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    const code: unknown = error instanceof Error ? Reflect.get(error, 'syscall') : undefined;
    throw code === undefined
      ? error
      : new CliError(`Can’t write ${file}: ${String(Reflect.get(Object(error), 'code'))}.`);
  }
}

/** Ends quietly when whoever reads has seen enough. */
async function toStandardOutput(text: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(text, process.stdout, { end: false });
  } catch (error) {
    if (!(error instanceof Error && Reflect.get(error, 'code') === 'EPIPE')) throw error;
  }
}
