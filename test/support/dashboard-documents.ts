import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, validate } from 'graphql';
import { graphqlSchema } from '../../server/graphql-schema.ts';

const projectDir = path.resolve(import.meta.dirname, '../..');
/** The widget has a schema of its own; what the explorer sends is not ours to know. */
const others = /^web-client\/src\/(webchat|explorer)\//;
const literal = /(['`])((?:query|mutation|subscription)\b[^'`]*\{[^'`]*\})\1/g;

/**
 * SHA-256 of each GraphQL document that stands in the dashboard's sources, with a file that has it.
 * @throws when one is put together at run time, or is none of our schema
 */
export function dashboardDocuments(): Record<string, string> {
  const found: Record<string, string> = {};
  for (const file of globSync('web-client/src/**/*.{ts,tsx}', { cwd: projectDir }).sort()) {
    if (others.test(file)) continue;
    const source = readFileSync(path.join(projectDir, file), 'utf8');
    for (const [, , text = ''] of source.matchAll(literal)) {
      if (/\$\{|\\/.test(text))
        throw new Error(`${file}: a GraphQL document is written out, not put together.`);
      const [fault] = validate(graphqlSchema, parse(text));
      if (fault) throw new Error(`${file}: ${fault.message}`);
      found[createHash('sha256').update(text).digest('hex')] = file;
    }
  }
  return found;
}
