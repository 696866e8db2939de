import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const dist = path.resolve(import.meta.dirname, '../../web-client/dist');

interface Chunk {
  file: string;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
}

/** What is first loaded by the application, its frame included. */
export const application = ['index.html', 'src/app/shell.tsx'];

/** The built dashboard by source file. */
export function readManifest(): Record<string, Chunk> {
  return JSON.parse(fs.readFileSync(path.join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
}

/** Gzip, in bytes, of everything that a browser must have before the first page is drawn; `later`: and after it. */
export function firstLoad(
  entries: readonly string[],
  manifest: Record<string, Chunk>,
  later = false,
): { js: number; css: number } {
  const chunks = new Set<string>();
  const add = (name: string) => {
    if (chunks.has(name)) return;
    chunks.add(name);
    for (const needed of manifest[name]?.imports ?? []) add(needed);
    for (const needed of (later && manifest[name]?.dynamicImports) || []) add(needed);
  };
  for (const entry of entries) add(entry);
  const files = [...chunks].flatMap((name) => [manifest[name]?.file ?? '', ...(manifest[name]?.css ?? [])]);
  const size = (end: string) =>
    [...new Set(files)]
      .filter((file) => file.endsWith(end))
      .reduce((sum, file) => sum + gzipSync(fs.readFileSync(path.join(dist, file))).length, 0);
  return { js: size('.js'), css: size('.css') };
}

/** Gzip, in bytes, of the workers that pages start. */
export function workersLoad(): number {
  const files = fs.readdirSync(path.join(dist, 'assets')).filter((file) => /worker.*\.js$/.test(file));
  return files.reduce(
    (sum, file) => sum + gzipSync(fs.readFileSync(path.join(dist, 'assets', file))).length,
    0,
  );
}
