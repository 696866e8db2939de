import { Option } from 'commander';
import { type SystemRole, systemRoles } from '../../schema/scopes.ts';
import { createAgent } from '../account/agents.ts';
import type { CommandGroup } from './cli.ts';
import { companyContext, withApp } from './context.ts';

interface CreateOptions {
  company: string;
  email: string;
  name: string;
  role: SystemRole;
  password?: string;
}

export const agentCommands: CommandGroup = (program, cli) => {
  program
    .command('agents')
    .description('agents of a company')
    .command('create')
    .description('an agent, and its mirror in the sandbox; prints {id, email}')
    .requiredOption('--company <id>', 'id of the company')
    .requiredOption('--email <email>', 'unique among all agents of this installation')
    .requiredOption('--name <name>', 'display name')
    .addOption(
      new Option('--role <role>', 'what the agent may do').choices(Object.keys(systemRoles)).default('agent'),
    )
    .option('--password <password>', 'at least 10 characters; without one the agent can’t sign in yet')
    .action(async (options: CreateOptions) => {
      const agent = await withApp(cli, async (app) => {
        await companyContext(app, options.company);
        return createAgent(app, options);
      });
      cli.print(agent, `Agent ${agent.id} (${agent.email}).`);
    });
};
