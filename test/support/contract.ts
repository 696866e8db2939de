// `npm run contract` rewrites the generated documents in schema/; with --check it fails when they are not current.
import { readFileSync, writeFileSync } from 'node:fs';
import { appRouter } from '../../server/app-router.ts';
import { printGraphqlSchema } from '../../server/graphql-schema.ts';
import { dashboardDocuments } from './dashboard-documents.ts';
import { openApiDocument } from '../../server/http/openapi.ts';
import { printVisitorSchema } from '../../server/webchat/graphql-visitors.ts';

const documents: Record<string, string> = {
  'schema/openapi.json': `${JSON.stringify(openApiDocument(appRouter), null, 2)}\n`,
  'schema/schema.graphql': printGraphqlSchema(),
  'schema/webchat.graphql': printVisitorSchema(),
  'schema/dashboard-documents.json': `${JSON.stringify(dashboardDocuments(), null, 2)}\n`,
};

const check = process.argv.includes('--check');
for (const [name, text] of Object.entries(documents)) {
  const file = new URL(`../../${name}`, import.meta.url);
  if (!check) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${name} is not current: run npm run contract and commit it.\n`);
    process.exitCode = 1;
  }
}
