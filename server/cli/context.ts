import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { Services } from '../platform/services.ts';
import { systemContext } from '../platform/system-context.ts';
import { type Cli, CliError, exitCode } from './cli.ts';
import { withDatabase } from './with-database.ts';

/**
 * Runs `work` with the services over a migrated database.
 * What the house refuses becomes one line: exit code 2 for a value that has the wrong form, else 1.
 */
export async function withApp<T>(cli: Cli, work: (app: Services) => Promise<T>): Promise<T> {
  const config = cli.config();
  return withDatabase(config, cli.log(), async (databaseUrl) => {
    // The whole application: loaded here, so that commands without it start at once.
    const { createServices } = await import('../app.ts');
    const app = await createServices({ config, databaseUrl, log: cli.log() });
    try {
      return await work(app);
    } catch (error) {
      throw error instanceof AppError ? refusal(error) : error;
    } finally {
      await app.stop();
    }
  });
}

/** The system's context for the company that `--company` names. */
export async function companyContext(app: Services, companyId: string): Promise<Context> {
  try {
    return await systemContext(app, companyId);
  } catch (error) {
    throw error instanceof AppError && error.code === 'not_found' ? unknownCompany(companyId) : error;
  }
}

export function unknownCompany(companyId: string): CliError {
  return new CliError(`There is no company ${companyId}.`);
}

/** Codes of a value that is right in form and wrong in this database: no mistake of usage. */
const factual: ReadonlySet<string> = new Set(['duplicate', 'unknown_id', 'not_allowed']);

function refusal(error: AppError): CliError {
  const [detail] = error.details ?? [];
  const usage = error.code === 'validation_failed' && !(detail && factual.has(detail.code));
  // The option's name is the field's, in kebab case.
  const option = error.param?.replace(/\..*$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const message = option
    ? `--${option.replace(/_at$/, '').replaceAll('_', '-')}: ${error.message}`
    : error.message;
  return new CliError(message, usage ? exitCode.usage : exitCode.failure);
}
