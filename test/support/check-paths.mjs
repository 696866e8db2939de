// Every path that a paper names in a code span must exist, or the paper is out of date.
import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const papers = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'];
const top = new Set(fs.readdirSync(root));

/* A path of ours starts with an entry of the top folder, or is a file name with an ending we use. */
function isPath(span) {
  if (!/^[\w.@/-]+$/.test(span) || span.startsWith('/')) return false;
  const [first, ...rest] = span.split('/');
  if (rest.length > 0)
    return top.has(first) || ['schema', 'server', 'prisma', 'test', 'web-client'].includes(first);
  return (
    /\.(ts|tsx|mjs|json|md|prisma|graphql)$/.test(span) &&
    !/^(config|service|router|graphql|present)\.ts$/.test(span)
  );
}

/* Made when the program runs or is built, so absent from a clone. */
const generated = /^(\.data|\.env|prisma\/generated|web-client\/dist|node_modules)(\/|$)/;

const missing = [];
for (const paper of papers.filter((name) => fs.existsSync(path.join(root, name)))) {
  const lines = fs.readFileSync(path.join(root, paper), 'utf8').split('\n');
  for (const [index, line] of lines.entries()) {
    for (const [, span] of line.matchAll(/`([^`]+)`/g)) {
      if (!isPath(span) || generated.test(span) || fs.existsSync(path.join(root, span))) continue;
      missing.push(`${paper}:${index + 1}: ${span} does not exist`);
    }
  }
}
for (const line of missing) process.stdout.write(`${line}\n`);
process.exitCode = missing.length === 0 ? 0 : 1;
