// `npm run screenshots`: every page with the demo's records, at 1440 and 390 px, light and dark, into docs/screenshots.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { projectDir, projectNode } from '../../server/prepare.mjs';

const target = path.join(projectDir, 'docs', 'screenshots');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parlour-screenshots-'));
try {
  const run = path.join(import.meta.dirname, 'run.mjs');
  const { status } = spawnSync(projectNode, [run, 'test/e2e/pages.test.ts', '-t', 'is kept as a picture'], {
    stdio: 'inherit',
    env: { ...process.env, E2E: '1', SCREENSHOTS: folder },
  });
  process.exitCode = status ?? 1;
  // Installed by now, in a bare clone too.
  const { default: sharp } = await import('sharp');
  fs.mkdirSync(target, { recursive: true });
  for (const name of fs.readdirSync(folder))
    await sharp(path.join(folder, name))
      .png({ palette: true, colours: 64, compressionLevel: 9, effort: 10 })
      .toFile(path.join(target, name));
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
