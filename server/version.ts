import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** What runs here. `commit` is set by whoever builds an image. */
export const version = {
  name: 'parlour',
  version: manifest.version,
  api: 'v1',
  commit: process.env['GIT_COMMIT'] ?? null,
  node: process.version,
};
