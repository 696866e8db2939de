import { beforeAll, describe, expect, it } from 'vitest';
import { removeUnusedMedia } from '../server/media/cleanup.ts';
import { acrossTenants } from '../server/platform/tenancy.ts';
import { type Client, keyed } from './support/client.ts';
import { mp4, oggOpus, picture } from './support/files.ts';
import { type Content, fileOf, filesIn, uploadTo } from './support/media.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let api: Client;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
});

type Upload = [content: Content, name: string, type: string, fields?: Record<string, string>];
const upload = (...given: Upload) => uploadTo(api, ...given);
const leftovers = () => filesIn(server().app, 'uploads');
const stored = async () =>
  (await server().app.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM media')).rows[0]?.n;
const filesKept = () => filesIn(server().app, 'media');
const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF');
const exe = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200, 1)]);

describe('names [U3]', () => {
  it.each([
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\windows\\win.ini', 'win.ini'],
    ['/abs/olute.txt', 'olute.txt'],
    ['gpj.exe\u202Etxt.txt', 'gpj.exetxt.txt'],
    ['..', 'file.txt'],
    [' . ', 'file.txt'],
    ['a\u0007b.txt', 'ab.txt'],
    [`${'é'.repeat(300)}.txt`, `${'é'.repeat(187)}.txt`],
    ['Zoë 👋.txt', 'Zoë 👋.txt'],
    ['quote"and;semi.txt', 'quote"and;semi.txt'],
  ])('%j comes back as %j', async (given, cleaned) => {
    const answer = await upload('hello', 'sent.txt', 'text/plain', { filename: given.slice(0, 191) });
    const expected = given.length > 191 ? undefined : cleaned;
    if (expected !== undefined) expect(answer.body.data.filename).toBe(expected);
    const asFile = await upload('hello', given, 'text/plain');
    if (!given.includes('"')) expect(asFile.body.data.filename).toBe(cleaned);
    const served = await fetch(asFile.body.data.url);
    expect(served.status).toBe(200);
    expect(served.headers.get('content-disposition')).toMatch(
      /^attachment; filename="[ -~]*"; filename\*=UTF-8''/,
    );
  });
});

describe('serving', () => {
  it('is sandboxed, and only pictures, sounds and videos are shown inline [U2]', async () => {
    const files: [Content, string, string, string][] = [
      [await picture('png'), 'a.png', 'image/png', 'inline'],
      [oggOpus(), 'a.ogg', 'audio/ogg', 'inline'],
      [mp4('isom', 'vide', 1), 'a.mp4', 'video/mp4', 'inline'],
      [pdf, 'a.pdf', 'application/pdf', 'attachment'],
      ['hello', 'a.txt', 'text/plain', 'attachment'],
    ];
    for (const [content, name, type, how] of files) {
      const { url } = (await upload(content, name, type)).body.data;
      const { headers } = await fetch(url);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
      expect(headers.get('content-disposition')).toMatch(new RegExp(`^${how};`));
      expect(headers.get('content-type')).toMatch(type);
      expect(headers.get('set-cookie')).toBeNull();
    }
  });

  it('answers HEAD, ranges of recordings, and conditional requests', async () => {
    const video = mp4('isom', 'vide', 1);
    const { url } = (await upload(video, 'a.mp4', 'video/mp4')).body.data;
    const head = await fetch(url, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(video.length));
    expect(head.headers.get('accept-ranges')).toBe('bytes');
    const ask = async (range: string) => {
      const response = await fetch(url, { headers: { Range: range } });
      return [
        response.status,
        Buffer.from(await response.arrayBuffer()),
        response.headers.get('content-range'),
      ];
    };
    expect(await ask('bytes=4-7')).toEqual([206, video.subarray(4, 8), `bytes 4-7/${video.length}`]);
    expect((await ask('bytes=-3'))[1]).toEqual(video.subarray(-3));
    expect((await ask('bytes=10-'))[1]).toEqual(video.subarray(10));
    expect(await ask(`bytes=${video.length}-`)).toEqual([416, Buffer.alloc(0), `bytes */${video.length}`]);
    expect((await ask('bytes=0-1,4-5'))[0]).toBe(200);
    const etag = head.headers.get('etag') ?? '';
    expect((await fetch(url, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    const posted = await fetch(url, { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('is 404 for a guess, for an expired and for a removed upload [U6]', async () => {
    const { url } = (await upload('soon gone', 'a.txt', 'text/plain')).body.data;
    const guess = url.replace(/\/media\/[\w-]{22}/, '/media/AAAAAAAAAAAAAAAAAAAAAA');
    for (const wrong of [guess, `${server().url}/media/x/y`, `${server().url}/media/..%2f..%2fsecret/a`]) {
      expect((await fetch(wrong)).status).toBe(404);
    }
    server().clock.advance(24 * 3_600_000);
    expect((await fetch(url)).status).toBe(404);
    const before = await stored();
    expect(await acrossTenants(() => removeUnusedMedia(server().app))).toBe(before);
    expect(await stored()).toBe(0);
    expect(filesKept()).toEqual([]);
  });
});

describe('keys', () => {
  it('of the test mode store nothing and get an answer', async () => {
    const sandbox = await company.client({ mode: 'test' });
    const [rows, files] = [await stored(), filesKept().length];
    const answer = await sandbox.form('/media', { file: fileOf('hello', 'a.txt', 'text/plain') });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({ kind: 'document', filename: 'a.txt', size: 5 });
    expect([await stored(), filesKept().length]).toEqual([rows, files]);
    const refused = await sandbox.form('/media', { file: fileOf(exe, 'a.txt', 'text/plain') });
    expect(refused.status).toBe(422);
    await expect.poll(leftovers).toEqual([]);
  });

  it('of idempotency see the same file in two forms as one request', async () => {
    const headers = keyed();
    const send = (text: string) => api.form('/media', { file: fileOf(text, 'a.txt', 'text/plain') }, headers);
    const first = await send('once');
    const [rows, files] = [await stored(), filesKept().length];
    const again = await send('once');
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.text).toBe(first.text);
    expect([await stored(), filesKept().length]).toEqual([rows, files]);
    const other = await send('twice');
    expect(other.status).toBe(409);
    expect(other.body.error.code).toBe('idempotency_conflict');
    expect((await send('\0')).status).toBe(409);
  });
});
