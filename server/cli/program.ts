import { Console } from 'node:console';
import { Command, CommanderError } from 'commander';
import { ConfigError } from '../platform/config.ts';
import { version } from '../platform/version.ts';
import { agentCommands } from './agents.ts';
import { backupCommands } from './backup.ts';
import { channelCommands } from './channels.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { CliError, createCli, exitCode, type CliState, type CommandGroup } from './cli.ts';
import { companyCommands } from './companies.ts';
import { configCommands } from './config.ts';
import { demoCommand } from './demo.ts';
import { doctorCommand } from './doctor.ts';
import { eraseCommands } from './erase.ts';
import { exportCommands } from './export.ts';
import { importCommands } from './import.ts';
import { initCommand } from './init.ts';
import { keyCommands } from './keys.ts';
import { migrateCommand } from './migrate.ts';
import { seedCommand } from './seed.ts';
import { openApiCommand } from './openapi.ts';
import { serveCommand } from './serve.ts';
import { simulateCommands } from './simulate.ts';
import { webhookCommands } from './webhooks.ts';

/** Every group of commands; a new one is a file beside this one and a line here. */
const groups: CommandGroup[] = [
  serveCommand,
  initCommand,
  migrateCommand,
  openApiCommand,
  configCommands,
  companyCommands,
  agentCommands,
  keyCommands,
  channelCommands,
  simulateCommands,
  webhookCommands,
  demoCommand,
  seedCommand,
  importCommands,
  exportCommands,
  eraseCommands,
  backupCommands,
  doctorCommand,
];

function createProgram(cli: CliState): Command {
  const program = new Command('parlour')
    .description('Customer messaging and commerce back office.')
    .version(version)
    .option('--json', 'print one JSON value on standard output, and nothing else there')
    .option('--quiet', 'no progress')
    .showHelpAfterError('(parlour --help lists the commands)')
    .configureOutput({
      writeOut: (text) => cli.print({ help: text.trimEnd() }, text.trimEnd()),
      writeErr: (text) => void process.stderr.write(text),
    });
  for (const group of groups) group(program, cli);
  return quietExits(program);
}

/* Commander would end the process itself; and a setting of the program isn't one of its commands. */
function quietExits(command: Command): Command {
  command.exitOverride();
  for (const child of command.commands) quietExits(child.copyInheritedSettings(command));
  return command;
}

function codeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.usage;
  if (error instanceof ConfigError) return exitCode.usage;
  return error instanceof CliError ? error.exitCode : exitCode.failure;
}

function report(error: unknown, cli: CliState): void {
  const expected = error instanceof OperatorError || isNetworkFault(error);
  const message = messageOf(error);
  if (!(error instanceof CommanderError)) {
    const stack = error instanceof Error ? error.stack : message;
    process.stderr.write(`${expected ? message : stack}\n`);
  }
  if (cli.json && !cli.printed) {
    const problems = error instanceof ConfigError ? { problems: error.problems } : {};
    cli.print({ error: { message, ...problems } }, '');
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Commander's own words for a command line that ends before its command are no message.
  const incomplete = error instanceof CommanderError && error.code === 'commander.help';
  if (incomplete) return 'A command is missing (parlour --help lists the commands).';
  return error.message || String(Reflect.get(error, 'code'));
}

/** A port that is taken or a database that is not there: whoever runs Parlour can mend it, and no stack helps. */
function isNetworkFault(error: unknown): boolean {
  const codes: unknown[] = [
    'EADDRINUSE',
    'EACCES',
    'EADDRNOTAVAIL',
    'ECONNREFUSED',
    'ENOTFOUND',
    'ETIMEDOUT',
  ];
  return error instanceof Error && codes.includes(Reflect.get(error, 'code'));
}

/** Runs one command line (without `node` and the script) and returns the exit code. */
export async function runProgram(
  args: string[],
  write: (text: string) => void = (text) => void process.stdout.write(text),
): Promise<number> {
  const before = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  const json = before.includes('--json');
  const cli = createCli({ json, quiet: json || before.includes('--quiet') }, write);
  if (json) globalThis.console = new Console(process.stderr, process.stderr);
  try {
    await createProgram(cli).parseAsync(args, { from: 'user' });
  } catch (error) {
    const code = codeOf(error);
    if (code !== exitCode.ok) report(error, cli);
    return code;
  }
  if (json && !cli.printed) cli.print(null, '');
  return cli.exitCode;
}
