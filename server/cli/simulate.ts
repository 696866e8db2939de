import { simulateInbound, simulatorOutbox } from '../messages/simulate.ts';
import { CliError, type CommandGroup, exitCode } from './cli.ts';
import { companyContext, withApp } from './context.ts';

interface InboundOptions {
  company: string;
  from: string;
  name?: string;
  text: string;
  channel?: string;
  count?: string;
  providerId?: string;
}

export const simulateCommands: CommandGroup = (program, cli) => {
  const simulate = program.command('simulate').description('customers of the simulator channel');
  simulate
    .command('inbound')
    .description('a customer writes; prints {message, conversation, contact} of the last message')
    .requiredOption('--company <id>', 'id of the company')
    .requiredOption('--from <phone>', 'number of the customer, with country code')
    .option('--name <name>', 'what a new contact is called')
    .requiredOption('--text <text>', 'what the customer writes')
    .option('--channel <name>', 'simulator channel (default: the first one, made if there is none)')
    .option('--count <n>', 'so many messages, one after the other')
    .option('--provider-id <id>', 'id of the message at the provider; the same again is no second message')
    .action(async ({ company, count, ...options }: InboundOptions) => {
      const times = count === undefined ? {} : { count: readCount(count) };
      const arrival = await withApp(cli, async (app) => {
        await companyContext(app, company);
        return simulateInbound(app, company, { ...options, ...times });
      });
      const none = { message: null, conversation: null, contact: null };
      const text = arrival
        ? `Message ${arrival.message} in conversation ${arrival.conversation} of contact ${arrival.contact}.`
        : 'The contact is blocked and has no conversation: nothing was kept.';
      cli.print(arrival ?? none, text);
    });
  simulate
    .command('outbox')
    .description('what simulated customers received, oldest first')
    .requiredOption('--company <id>', 'id of the company')
    .action(async ({ company }: { company: string }) => {
      const messages = await withApp(cli, async (app) => {
        await companyContext(app, company);
        return simulatorOutbox(app, company);
      });
      const lines = messages.map(
        ({ accepted_at, to, type, text, outcome }) => `${accepted_at}  ${to}  ${outcome}  ${text ?? type}`,
      );
      cli.print(messages, lines.join('\n') || 'Nothing was sent.');
    });
};

function readCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new CliError('--count: must be a number from 1.', exitCode.usage);
  return Number(text);
}
