import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { reached } from '../support/reached.ts';

const projectDir = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'parlour-install-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a clone has: the files that git knows, as they are now. */
function copyTracked(): void {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: projectDir,
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  for (const file of files.split('\0').filter(Boolean)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    cpSync(path.join(projectDir, file), path.join(folder, file));
  }
}

it('an installation without scripts of packages starts and serves [D20]', async () => {
  copyTracked();
  const shell = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? folder };
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd: folder,
    env: shell,
    stdio: 'ignore',
  });
  const port = await freePort();
  const child = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...shell, PORT: String(port), LOG_LEVEL: 'silent' },
    stdio: 'ignore',
    detached: true,
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const ready = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(ready, { timeout: 300_000, interval: 1_000 }).toBe(200);
    const page = await fetch(`http://127.0.0.1:${port}/sign-in`, { headers: { Accept: 'text/html' } });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root">')]);
    reached('D20', 'installed with --ignore-scripts, built, ready, dashboard served');
  } finally {
    process.kill(-child.pid!, 'SIGTERM');
    await ended;
  }
}, 900_000);
