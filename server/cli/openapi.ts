import { appRouter } from '../app-router.ts';
import { publicUrlFor } from '../platform/config.ts';
import { openApiDocument } from '../http/openapi.ts';
import type { CommandGroup } from './cli.ts';

export const openApiCommand: CommandGroup = (program, cli) => {
  program
    .command('openapi')
    .description('print the OpenAPI document of the REST surface')
    .action(() => {
      const document = openApiDocument(appRouter, publicUrlFor(cli.config()));
      cli.print(document, JSON.stringify(document, null, 2));
    });
};
