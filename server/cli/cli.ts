import type { Command } from 'commander';
import { loadConfig, type Config } from '../platform/config.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { createLog, type Log } from '../platform/log.ts';

/** The exit codes that scripts may rely on. */
export const exitCode = { ok: 0, failure: 1, usage: 2, partial: 3 } as const;

/** A failure with an exit code of its own. */
export class CliError extends OperatorError {
  readonly exitCode: number;

  constructor(message: string, code: number = exitCode.failure) {
    super(message);
    this.name = 'CliError';
    this.exitCode = code;
  }
}

/** What every command gets. */
export type Cli = {
  json: boolean;
  /** No progress on standard error. */
  quiet: boolean;
  /** Read when first asked for, so that `--help` works with broken settings. */
  config(): Config;
  log(): Log;
  /** The one result of a command: `value` with `--json`, else the `text` for people. */
  print(value: unknown, text: string): void;
  /** What the process ends with; `exitCode.partial` when only some of the work was done. */
  exitCode: number;
};

/** Adds one group of commands to the program; `program.ts` lists the groups. */
export type CommandGroup = (program: Command, cli: Cli) => void;

export type CliState = Cli & { printed: boolean };

export function createCli(
  options: { json: boolean; quiet: boolean },
  write: (text: string) => void,
): CliState {
  let config: Config | undefined;
  let log: Log | undefined;
  const cli: CliState = {
    ...options,
    printed: false,
    exitCode: exitCode.ok,
    config: () => (config ??= loadConfig()),
    log: () => (log ??= createLog(cli.config().logLevel)),
    print(value, text) {
      if (cli.json && cli.printed) throw new Error('A command prints one JSON value only.');
      cli.printed = true;
      write(cli.json ? `${JSON.stringify(value)}\n` : `${text}\n`);
    },
  };
  return cli;
}
