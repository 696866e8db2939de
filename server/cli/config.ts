import { describeConfig } from '../platform/config.ts';
import type { CommandGroup } from './cli.ts';

export const configCommands: CommandGroup = (program, cli) => {
  program
    .command('config')
    .description('the settings in force')
    .command('print')
    .description('every setting, its value and where it came from; secrets are hidden')
    .action(() => {
      const settings = describeConfig(cli.config());
      const width = Math.max(...settings.map(({ name }) => name.length));
      const lines = settings.map(
        ({ name, value, from }) => `${name.padEnd(width)}  ${value ?? '–'}  (${from})`,
      );
      cli.print(settings, lines.join('\n'));
    });
};
