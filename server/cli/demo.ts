import { createServices } from '../app.ts';
import { type Demo, ensureDemo } from '../demo/demo.ts';
import type { Config } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';
import { CliError, type CommandGroup } from './cli.ts';
import { withApp } from './context.ts';

export const demoCommand: CommandGroup = (program, cli) => {
  program
    .command('demo')
    .description(
      'the demo company, made if the database is empty; prints {company, owner, agents, keys, logins}',
    )
    .action(async () => {
      const demo = await withApp(cli, ensureDemo);
      if (!demo) throw new CliError('There is no demo company, and the database is not empty.');
      cli.print(publicDemo(demo), describe(demo));
    });
};

/** Before serving: makes the demo company in an empty database. Undefined where there is none. */
export async function prepareDemo(deps: {
  config: Config;
  databaseUrl: string;
  log: Log;
}): Promise<Demo | undefined> {
  const app = await createServices(deps);
  try {
    return (await ensureDemo(app)) ?? undefined;
  } finally {
    await app.stop();
  }
}

/** Ids as `companies create` prints them. */
function publicDemo({ company, owner, agents, keys, logins }: Demo) {
  return { company: company.id, name: company.name, owner, agents, keys, logins };
}

function describe({ company, keys, logins }: Demo): string {
  return [
    `${company.name} (${company.id})`,
    ...logins.map(({ email, password, role }) => `  ${email}  ${password}  (${role})`),
    `  live key  ${keys.live}`,
    `  test key  ${keys.test}`,
  ].join('\n');
}
