// `npm run sdk` rewrites what is made from schema/openapi.json: the client's types and operations in schema/sdk/generated
// and the collections in schema/collections. With --check it fails when they are not current.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import './typescript-api.ts';
import { collections } from './collections.ts';

const schema = fileURLToPath(new URL('../../schema', import.meta.url));
const input = path.join(schema, 'openapi.json');

/** Every generated file by its path below `schema`. */
async function generate(): Promise<Map<string, string>> {
  const { createClient } = await import('@hey-api/openapi-ts');
  const folder = mkdtempSync(path.join(tmpdir(), 'parlour-sdk-'));
  await createClient({
    input,
    logs: { level: 'silent' },
    output: { path: folder, entryFile: false, module: { extension: '.ts' } },
    plugins: [
      { name: '@hey-api/client-fetch', throwOnError: true },
      '@hey-api/typescript',
      {
        name: '@hey-api/sdk',
        operations: { strategy: 'single', containerName: 'Operations', nestingDelimiters: /-/ },
      },
    ],
  });
  const files = new Map<string, string>(
    filesIn(folder).map(([name, text]) => [`sdk/generated/${name}`, text]),
  );
  rmSync(folder, { recursive: true });
  for (const [name, text] of await collections(readFileSync(input, 'utf8')))
    files.set(`collections/${name}`, text);
  return files;
}

function filesIn(folder: string): [string, string][] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => [path.relative(folder, file), readFileSync(file, 'utf8')]);
}

const made = await generate();
const kept = new Map<string, string>(
  ['sdk/generated', 'collections'].flatMap((folder) => {
    mkdirSync(path.join(schema, folder), { recursive: true });
    return filesIn(path.join(schema, folder)).map(([name, text]) => [`${folder}/${name}`, text] as const);
  }),
);
const stale = [...new Set([...made.keys(), ...kept.keys()])].filter(
  (name) => made.get(name) !== kept.get(name),
);
if (process.argv.includes('--check')) {
  for (const name of stale)
    process.stderr.write(`schema/${name} is not current: run npm run sdk and commit it.\n`);
  if (stale.length > 0) process.exitCode = 1;
} else {
  for (const name of stale) {
    const file = path.join(schema, name);
    rmSync(file, { force: true });
    const text = made.get(name);
    if (text === undefined) continue;
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
