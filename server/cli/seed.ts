import { InvalidArgumentError } from 'commander';
import type { SeedOptions } from '../seed/plan.ts';
import { seedCompany } from '../seed/seed.ts';
import { type Cli, CliError, type CommandGroup, exitCode } from './cli.ts';
import { companyContext, withApp } from './context.ts';
import { startProgress } from './progress.ts';

interface Options {
  company: string;
  seed: string;
  contacts?: number;
  conversations?: number;
  messages?: number;
  products?: number;
  orders?: number;
}

export const seedCommand: CommandGroup = (program, cli) => {
  program
    .command('seed')
    .description('fill a company with made-up records; the same seed gives the same ones; prints counts')
    .requiredOption('--company <id>', 'id of the company')
    .option('--contacts <n>', 'contacts (default: one for two conversations, at least 100)', count)
    .option('--conversations <n>', 'conversations (default: one for 25 messages, at least 100)', count)
    .option('--messages <n>', 'messages (default: 25 a conversation)', count)
    .option('--products <n>', 'products (default: 40)', count)
    .option('--orders <n>', 'orders (default: 60)', count)
    .option('--seed <text>', 'what the records follow from', 'parlour')
    .action((options: Options) => run(cli, options));
};

async function run(cli: Cli, { company, ...asked }: Options): Promise<void> {
  const options = withDefaults(company, asked);
  const total =
    options.contacts + options.conversations + options.messages + options.products + options.orders;
  const counts = await withApp(cli, async (app) => {
    await companyContext(app, company);
    const progress = startProgress(cli, 'Seeding', total);
    try {
      return await seedCompany(app.databaseUrl, { ...options, onProgress: (more) => progress.add(more) });
    } catch (error) {
      throw error instanceof RangeError ? new CliError(error.message, exitCode.usage) : error;
    } finally {
      progress.stop();
    }
  });
  const text = Object.entries(counts).map(([name, number]) => `${number.toLocaleString('en')} ${name}`);
  cli.print(counts, `Inserted ${text.join(', ')}.`);
}

/** What is not asked for follows from what is. */
function withDefaults(companyId: string, asked: Omit<Options, 'company'>): SeedOptions {
  const fromMessages = asked.messages === undefined ? 100 : Math.ceil(asked.messages / 25);
  const conversations = asked.conversations ?? (asked.messages === 0 ? 0 : Math.max(100, fromMessages));
  return {
    companyId,
    seed: asked.seed,
    contacts: asked.contacts ?? Math.max(100, Math.ceil(conversations / 2)),
    conversations,
    messages: asked.messages ?? conversations * 25,
    products: asked.products ?? 40,
    orders: asked.orders ?? 60,
  };
}

function count(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('Must be a whole number.');
  return Number(value);
}
