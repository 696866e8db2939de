import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { App } from './app.ts';

/** Names the dashboard that was built: pages compare theirs with it. Null where none is built. */
export async function buildId({ config }: Pick<App, 'config'>): Promise<string | null> {
  const manifest = path.join(config.projectDir, 'web-client', 'dist', '.vite', 'manifest.json');
  const text = await readFile(manifest, 'utf8').catch(() => null);
  return text === null ? null : createHash('sha256').update(text).digest('hex').slice(0, 12);
}
