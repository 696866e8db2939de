import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { App } from './app.ts';

/** The dashboard that was built: pages compare its id with theirs. Both are null where none is built. */
export async function buildOf({ config }: Pick<App, 'config'>) {
  const manifest = path.join(config.projectDir, 'web-client', 'dist', '.vite', 'manifest.json');
  const [text, facts] = await Promise.all([readFile(manifest, 'utf8'), stat(manifest)]).catch(() => []);
  if (text === undefined || facts === undefined) return { id: null, builtAt: null };
  return { id: createHash('sha256').update(text).digest('hex').slice(0, 12), builtAt: facts.mtime };
}
