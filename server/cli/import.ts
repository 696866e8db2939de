import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import type { Command } from 'commander';
import { contactColumns, importContacts } from '../contacts/import.ts';
import { importOrders } from '../orders/import.ts';
import { orderColumns } from '../orders/import-rows.ts';
import { csvLimits, CsvFileError } from '../platform/csv.ts';
import type { Column } from '../platform/csv-columns.ts';
import type { CsvSource } from '../platform/csv-file.ts';
import type { ImportOptions, ImportResult } from '../platform/csv-plan.ts';
import type { Context } from '../platform/context.ts';
import { importProducts, productColumns } from '../products/import.ts';
import { type Cli, CliError, type CommandGroup, exitCode } from './cli.ts';
import { companyContext, withApp } from './context.ts';
import { type Progress, startProgress } from './progress.ts';

interface Options {
  company: string;
  dryRun?: boolean;
  rejected?: string;
  country?: string;
}

interface Resource {
  columns: readonly Column[];
  help: string;
  run(ctx: Context, source: CsvSource, options: ImportOptions & { country?: string }): Promise<ImportResult>;
}

const resources: Record<string, Resource> = {
  contacts: {
    columns: contactColumns,
    help: 'A row updates the contact with its id, else its phone, else its e-mail, or makes one; it needs one of the three.',
    run: importContacts,
  },
  products: {
    columns: productColumns,
    help: 'A row updates the product with its id, else its SKU, or makes one; it needs one of the two. price is in minor\nunits (1990 is 19.90); stock is a recount.',
    run: importProducts,
  },
  orders: {
    columns: orderColumns,
    help: 'One row for each line of an order. Rows that follow one another with the same external_id (or, without one, the\nsame id) are one order; an order that is there already is skipped. A row has quantity and a product by product (its\nid) or sku, or a line of its own by item_name and unit_price; the contact by contact (its id), contact_phone or\ncontact_email. Amounts are in minor units. Stock is reserved and totals are computed as for any order. rows counts\nlines, the other counts are of orders.',
    run: importOrders,
  },
};

export const importCommands: CommandGroup = (program, cli) => {
  const group = program
    .command('import')
    .description('records from CSV; prints counts, and writes rows that are refused to a file (exit code 3)');
  for (const [name, resource] of Object.entries(resources)) {
    const command = group
      .command(name)
      .description(`${name} from a CSV file; the same file twice makes nothing twice`)
      .argument('<file>', 'UTF-8; commas, semicolons or tabs; the first row names the columns')
      .requiredOption('--company <id>', 'id of the company')
      .option('--dry-run', 'do all of it and keep nothing')
      .option('--rejected <path>', 'where refused rows go (default: beside the file; in a dry run, nowhere)')
      .addHelpText('after', helpOf(resource))
      .action((file: string, options: Options) => run(cli, resource, file, options));
    if (name === 'contacts') countryOption(command);
  }
};

function countryOption(command: Command): void {
  command.option('--country <code>', 'of phone numbers without a country code, in rows without a country');
}

function helpOf({ columns, help }: Resource): string {
  const { bytes, lines, row } = csvLimits;
  return `
Columns: ${columns.map(({ name }) => name).join(', ')}
${help}
Empty cells say nothing; a ’ before = + - @ is taken away. At most ${bytes / 1024 / 1024} MB, ${lines.toLocaleString('en')} lines,
${row.toLocaleString('en')} characters a row.`.replaceAll('’ before', "' before");
}

async function run(cli: Cli, resource: Resource, file: string, options: Options): Promise<void> {
  const { company, dryRun = false, country } = options;
  await requireFile(file);
  if (country !== undefined && !/^[A-Za-z]{2}$/.test(country))
    throw new CliError('--country: Must be a two-letter country code.', exitCode.usage);
  const target = options.rejected ?? (dryRun ? undefined : `${file.replace(/\.csv$/i, '')}.rejected.csv`);
  if (target !== undefined && path.resolve(target) === path.resolve(file))
    throw new CliError('--rejected: Must be another file.', exitCode.usage);
  const rejected = new RejectedFile(target);
  const result = await withApp(cli, async (app) => {
    const ctx = await companyContext(app, company);
    let progress: Progress | undefined;
    try {
      return await resource.run(
        ctx,
        { read: () => createReadStream(file) },
        {
          dryRun,
          rejected: (text) => rejected.write(text),
          onStart: (rows) => void (progress = startProgress(cli, dryRun ? 'Trying' : 'Importing', rows)),
          onProgress: (rows) => progress?.add(rows),
          ...(country === undefined ? {} : { country }),
        },
      );
    } catch (error) {
      throw error instanceof CsvFileError ? new CliError(`${file}: ${error.message}`) : error;
    } finally {
      progress?.stop();
      await rejected.end();
    }
  });
  if (result.failed > 0) cli.exitCode = exitCode.partial;
  cli.print({ ...result, rejected: rejected.path }, describe(result, rejected.path));
}

async function requireFile(file: string): Promise<void> {
  try {
    if ((await stat(file)).isFile()) return;
  } catch {
    throw new CliError(`There is no file ${file}.`);
  }
  throw new CliError(`${file} is no file.`);
}

/** Made with the first row that is refused. */
class RejectedFile {
  path: string | null = null;
  readonly #target: string | undefined;
  #stream: WriteStream | undefined;

  constructor(target: string | undefined) {
    this.#target = target;
  }

  async write(text: string): Promise<void> {
    if (this.#target === undefined) return;
    this.path = this.#target;
    this.#stream ??= createWriteStream(this.#target);
    const stream = this.#stream;
    await new Promise<void>((resolve, reject) => {
      stream.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  async end(): Promise<void> {
    if (!this.#stream || this.#stream.errored) return;
    this.#stream.end();
    await finished(this.#stream);
  }
}

function describe(result: ImportResult, rejected: string | null): string {
  const { rows, created, updated, skipped, failed, errors, ignored_columns: ignored } = result;
  const number = (value: number) => value.toLocaleString('en');
  return [
    `${result.dry_run ? 'Nothing is kept. ' : ''}${number(rows)} rows: ${number(created)} created, ${number(updated)} updated, ${number(skipped)} skipped, ${number(failed)} failed.`,
    ...(ignored.length > 0 ? [`Columns that nothing is read from: ${ignored.join(', ')}`] : []),
    ...errors.map(
      ({ line, code, param, message }) => `  line ${line}: ${param ? `${param}: ` : ''}${message} (${code})`,
    ),
    ...(failed > errors.length ? [`  and ${number(failed - errors.length)} more`] : []),
    ...(rejected === null ? [] : [`Refused rows are in ${rejected}.`]),
  ].join('\n');
}
