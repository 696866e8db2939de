import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text as readText } from 'node:stream/consumers';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeUnusedMedia } from '../server/media/cleanup.ts';
import { acrossTenants } from '../server/platform/tenancy.ts';
import type { Client } from './support/client.ts';
import { oggOpus, picture } from './support/files.ts';
import { uploadTo } from './support/media.ts';
import { startServer, type TestServer } from './support/server.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'parlour-s3-'));
const bucket = 'parlour-media';
let store: S3rver;
let server: TestServer;
let api: Client;

beforeAll(async () => {
  store = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    resetOnClose: true,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port } = await store.run();
  // The only pair that this store knows.
  const url = `http://S3RVER:S3RVER@127.0.0.1:${port}/${bucket}/below?region=us-east-1`;
  server = await startServer({ STORAGE_URL: url, LOG_LEVEL: 'silent' });
  api = await (await server.company()).client();
});

afterAll(async () => {
  await server.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Keys of the objects in the bucket. */
function objects(): string[] {
  return readdirSync(path.join(folder, bucket), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('._S3rver_object'))
    .map((entry) => path.relative(path.join(folder, bucket), path.join(entry.parentPath, entry.name)));
}

describe('files in an S3-compatible bucket', () => {
  it('are kept there below the prefix, and served whole and in ranges', async () => {
    const png = await picture('png');
    const { status, body } = await uploadTo(api, png, 'a.png', 'image/png');
    expect(status).toBe(201);
    const served = await fetch(body.data.url);
    expect(served.headers.get('content-type')).toBe('image/png');
    const whole = Buffer.from(await served.arrayBuffer());
    expect(whole.length).toBe(body.data.size);
    const sound = oggOpus();
    const { body: voice } = await uploadTo(api, sound, 'a.ogg', 'audio/ogg');
    const part = await fetch(voice.data.url, { headers: { Range: 'bytes=2-9' } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(sound.subarray(2, 10));
    expect(objects().length).toBeGreaterThan(0);
    expect(objects().every((key) => key.startsWith(`below${path.sep}`))).toBe(true);
  });

  it('are listed and read by a backup, with their sizes', async () => {
    const { body } = await uploadTo(api, 'for the backup', 'b.txt', 'text/plain');
    const { rows } = await server.app.pool.query<{ storage_key: string }>(
      'SELECT storage_key FROM media WHERE id = $1',
      [body.data.id],
    );
    const key = rows[0]!.storage_key;
    const sizes = new Map<string, number>();
    for await (const file of server.app.storage.list()) sizes.set(file.key, file.size);
    expect(sizes.get(key)).toBe(Buffer.byteLength('for the backup'));
    expect(await readText(await server.app.storage.open(key))).toBe('for the backup');
  });

  it('are removed when nothing uses them', async () => {
    const before = objects().length;
    expect(before).toBeGreaterThan(0);
    server.clock.advance(8 * 24 * 60 * 60 * 1000);
    await acrossTenants(() => removeUnusedMedia(server.app));
    await expect.poll(() => objects().length).toBe(0);
  });

  it('an upload is 500 and leaves no row while the store is away', async () => {
    await store.close();
    const answer = await uploadTo(api, 'nowhere to go', 'c.txt', 'text/plain');
    expect(answer.status).toBe(500);
    expect(answer.body.error.code).toBe('server_error');
    const { rows } = await server.app.pool.query(`SELECT 1 FROM media WHERE filename = 'c.txt'`);
    expect(rows).toEqual([]);
    await store.run();
  });
});
