import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reached } from '../support/reached.ts';
import { startServer, type TestServer } from '../support/server.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'parlour-small-'));
let server: TestServer;

/** A file system of 4 MB, where we may make one. */
function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
const mounted = mount();

beforeAll(async () => {
  server = await startServer({ DATA_DIR: folder, LOG_LEVEL: 'silent' });
});

afterAll(async () => {
  await server.close();
  if (mounted) execFileSync('umount', [folder]);
  rmSync(folder, { recursive: true, force: true });
});

it.runIf(mounted)(
  'an upload to a full disk is 500 once, leaves nothing behind, and readiness says so [U7]',
  async () => {
    const api = await (await server.company()).client();
    const upload = (bytes: number) =>
      api.form('/media', { file: new File(['a'.repeat(bytes)], 'a.txt', { type: 'text/plain' }) });
    const health = async () =>
      ((await (await fetch(`${server.url}/readyz`)).json()) as { status: string }).status;
    expect((await upload(1_000)).status).toBe(201);
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(path.join(folder, 'filler'), Buffer.alloc(Math.max(0, bavail * bsize - 300_000)));
    const refused = await upload(1_000_000);
    expect(refused.status).toBe(500);
    expect(refused.body.error.code).toBe('server_error');
    await expect.poll(() => readdirSync(path.join(folder, 'uploads'))).toEqual([]);
    // Folders of the store are made by day: what counts is files.
    const files = readdirSync(path.join(folder, 'media'), { recursive: true, withFileTypes: true });
    expect(files.filter((entry) => entry.isFile())).toHaveLength(1);
    const { rows } = await server.app.pool.query('SELECT 1 FROM media');
    expect(rows).toHaveLength(1);
    await expect.poll(health).toBe('degraded');
    expect((await api.post('/contacts', { name: 'still written' })).status).toBe(201);
    rmSync(path.join(folder, 'filler'));
    expect((await upload(1_000_000)).status).toBe(201);
    await expect.poll(health).toBe('ready');
    reached('U7', '500 once, 0 rows and 0 files left, degraded until there is room');
  },
);
