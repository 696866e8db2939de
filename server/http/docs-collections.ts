import { readFileSync } from 'node:fs';
import path from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { writtenFor } from './docs-page.ts';

/** Any fixed moment: the same collection is the same archive. */
const packed = new Date(2026, 0, 1);

/** All requests as a collection for Postman, with `baseUrl` and `apiKey` as variables. */
export function postmanCollection(projectDir: string, url: string): string {
  return collection(projectDir, 'postman.json', url);
}

/** The same for Bruno: a zip archive of its folder, with an environment. */
export function brunoArchive(projectDir: string, url: string): Uint8Array {
  const files = JSON.parse(collection(projectDir, 'bruno.json', url)) as Record<string, string>;
  const entries = Object.entries(files).map(([name, text]) => [`parlour/${name}`, strToU8(text)]);
  return zipSync(Object.fromEntries(entries), { mtime: packed });
}

function collection(projectDir: string, name: string, url: string): string {
  const text = readFileSync(path.join(projectDir, 'schema', 'collections', name), 'utf8');
  return text.replaceAll(writtenFor, url);
}
