import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { Media } from '../schema/media.ts';
import type { Client } from './support/client.ts';
import { cheapest } from './support/cpu.ts';
import { compoundFile, mp4, officeFile, oggOpus, oggPage, picture, pngBomb, zip } from './support/files.ts';
import { type Content, fileOf, filesIn, postForm, uploadTo } from './support/media.ts';
import { useServer } from './support/server.ts';

const server = useServer();
let api: Client;

beforeAll(async () => {
  api = await (await server().company()).client();
});

type Upload = [content: Content, name: string, type: string, fields?: Record<string, string>];
const upload = (...given: Upload) => uploadTo(api, ...given);
const leftovers = () => filesIn(server().app, 'uploads');
const stored = async () =>
  (await server().app.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM media')).rows[0]?.n;

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const pptx = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF');
const mp3 = Buffer.concat(
  Array.from({ length: 40 }, () => Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)])),
);
const exe = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200, 1)]);
const gifScript = 'GIF89a/*\x01\x00\x01\x00*/=1;alert(1)';

describe('an upload', () => {
  it('is stored, described and served', async () => {
    const png = await picture('png', 24);
    const answer = await upload(png, 'photo.png', 'image/png');
    expect(answer.status).toBe(201);
    const media = Media.parse(answer.body.data);
    expect(media).toMatchObject({
      kind: 'image',
      mime_type: 'image/png',
      size: png.length,
      filename: 'photo.png',
      width: 24,
      height: 24,
      duration_ms: null,
    });
    expect(media.url).toMatch(new RegExp(`^${server().url}/media/[\\w-]{22}/photo.png$`));
    const hours = (Date.parse(media.expires_at ?? '') - Date.parse(media.created_at)) / 3_600_000;
    expect(hours).toBe(24);
    const served = await fetch(media.url);
    expect(served.status).toBe(200);
    expect(Buffer.from(await served.arrayBuffer())).toEqual(png);
    await expect.poll(leftovers).toEqual([]);
  });

  it.each([
    ['jpeg', () => picture('jpeg'), 'a.jpg', 'image/jpeg', 'image', 'image/jpeg'],
    ['png with another name for its type', () => picture('png'), 'a', '', 'image', 'image/png'],
    ['webp', () => picture('webp'), 'a.webp', 'image/webp', 'image', 'image/webp'],
    ['pdf', () => pdf, 'a.pdf', 'application/pdf', 'document', 'application/pdf'],
    ['docx', () => officeFile('word'), 'a.docx', docx, 'document', docx],
    ['xlsx', () => officeFile('sheet'), 'a.xlsx', xlsx, 'document', xlsx],
    ['pptx', () => officeFile('slides'), 'a.pptx', pptx, 'document', pptx],
    [
      'doc',
      () => compoundFile('WordDocument'),
      'a.doc',
      'application/msword',
      'document',
      'application/msword',
    ],
    [
      'xls',
      () => compoundFile('Workbook'),
      'a.xls',
      'application/vnd.ms-excel',
      'document',
      'application/vnd.ms-excel',
    ],
    [
      'ppt',
      () => compoundFile('PowerPoint Document'),
      'a.ppt',
      'application/vnd.ms-powerpoint',
      'document',
      'application/vnd.ms-powerpoint',
    ],
    ['text', () => 'Olá, Zoë 👋', 'a.txt', 'text/plain', 'document', 'text/plain'],
    ['csv', () => 'a;b\n1;2', 'a.csv', 'text/csv', 'document', 'text/csv'],
    [
      'csv of a machine with Excel',
      () => 'a,b\n1,2',
      'a.csv',
      'application/vnd.ms-excel',
      'document',
      'text/csv',
    ],
    ['ogg', () => oggOpus(), 'a.ogg', 'audio/ogg', 'audio', 'audio/ogg'],
    ['mp3', () => mp3, 'a.mp3', 'audio/mpeg', 'audio', 'audio/mpeg'],
    ['mp4', () => mp4('isom', 'vide', 3), 'a.mp4', 'video/mp4', 'video', 'video/mp4'],
    ['m4a', () => mp4('M4A ', 'soun', 2), 'a.m4a', 'audio/mp4', 'audio', 'audio/mp4'],
    ['recording of a browser', () => mp4('isom', 'soun', 2), 'a.mp4', 'audio/mp4', 'audio', 'audio/mp4'],
  ])('of %s is accepted', async (_what, content, name, type, kind, mime) => {
    const answer = await upload(await content(), name, type);
    expect(answer.body).toMatchObject({ data: { kind, mime_type: mime } });
    expect(answer.status).toBe(201);
  });

  it('says how long a recording is and how large a video', async () => {
    expect((await upload(mp4('isom', 'vide', 3), 'a.mp4', 'video/mp4')).body.data).toMatchObject({
      duration_ms: 3_000,
      width: 320,
      height: 240,
    });
    expect(
      (await upload(oggOpus(), 'a.ogg', 'audio/ogg; codecs=opus')).body.data.duration_ms,
    ).toBeGreaterThan(900);
  });

  it('as a sticker is a small WebP', async () => {
    const webp = await picture('webp');
    expect((await upload(webp, 'a.webp', 'image/webp', { kind: 'sticker' })).body.data.kind).toBe('sticker');
    const png = await upload(await picture('png'), 'a.png', 'image/png', { kind: 'sticker' });
    expect(png.body.error.details[0]).toMatchObject({ param: 'file', code: 'media_unsupported' });
    const noise = await sharp(Buffer.from(Array.from({ length: 600 * 600 * 3 }, () => Math.random() * 256)), {
      raw: { width: 600, height: 600, channels: 3 },
    })
      .webp({ lossless: true })
      .toBuffer();
    expect(noise.length).toBeGreaterThan(500 * 1024);
    expect((await upload(noise, 'a.webp', 'image/webp', { kind: 'sticker' })).status).toBe(413);
    expect((await upload(noise, 'a.webp', 'image/webp')).status).toBe(201);
  });

  it('loses where it was taken, but not how it is turned [U5]', async () => {
    const photo = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
      .jpeg()
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD0: { Make: 'SecretCamera' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .toBuffer();
    expect(photo.includes('SecretCamera')).toBe(true);
    const { data } = (await upload(photo, 'a.jpg', 'image/jpeg')).body;
    expect(data).toMatchObject({ width: 20, height: 40 });
    const served = Buffer.from(await (await fetch(data.url)).arrayBuffer());
    expect(served.includes('SecretCamera')).toBe(false);
    expect(served.includes('Exif')).toBe(false);
    const found = await sharp(served).metadata();
    expect(found).toMatchObject({ width: 20, height: 40 });
    expect(data.size).toBe(served.length);
  });
});

describe('what is refused [U1]', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
  const pages: [string, Content | Promise<Content>, string, string][] = [
    ['svg', svg, 'a.svg', 'image/svg+xml'],
    ['svg as png', svg, 'a.png', 'image/png'],
    ['svg as text', svg, 'a.txt', 'text/plain'],
    ['html', '<!DOCTYPE html><script>alert(1)</script>', 'a.html', 'text/html'],
    ['html as text', '\n <HTML><body>x', 'a.txt', 'text/plain'],
    ['html as csv', '<script>alert(1)</script>', 'a.csv', 'text/csv'],
    ['xml as text', '<?xml version="1.0"?><a/>', 'a.txt', 'text/plain'],
    ['javascript', 'alert(1)', 'a.js', 'text/javascript'],
    ['a shell script', '#!/bin/sh\nrm -rf x', 'a.txt', 'text/plain'],
    ['exe', exe, 'a.exe', 'application/x-msdownload'],
    ['exe as pdf', exe, 'a.pdf', 'application/pdf'],
    ['exe as text', exe, 'a.txt', 'text/plain'],
    ['gif', gifScript, 'a.gif', 'image/gif'],
    ['gif as png', gifScript, 'a.png', 'image/png'],
    ['png as jpeg', picture('png'), 'a.jpg', 'image/jpeg'],
    ['jpeg as pdf', picture('jpeg'), 'a.pdf', 'application/pdf'],
    ['zip', zip({ 'a.txt': 'x' }), 'a.zip', 'application/zip'],
    ['zip as docx', zip({ 'a.txt': 'x' }), 'a.docx', docx],
    ['docx with macros', officeFile('word', { 'word/vbaProject.bin': 'x' }), 'a.docx', docx],
    ['doc with macros', compoundFile('WordDocument', 'Macros'), 'a.doc', 'application/msword'],
    ['xls as doc', compoundFile('Workbook'), 'a.doc', 'application/msword'],
    ['some compound file', compoundFile('Something'), 'a.msi', 'application/msword'],
    ['ogg with vorbis', oggPage(Buffer.from('\x01vorbis' + '\0'.repeat(23)), 0n, 2, 0), 'a.ogg', 'audio/ogg'],
    ['text with U+0000', 'a\0b', 'a.txt', 'text/plain'],
    ['text in Latin-1', Buffer.from([0x4f, 0x6c, 0xe1]), 'a.txt', 'text/plain'],
    ['text without a type or an ending', 'hello', 'hello', ''],
    ['an empty file', '', 'a.txt', 'text/plain'],
    ['half a png', picture('png', 300).then((png) => png.subarray(0, png.length / 2)), 'a.png', 'image/png'],
    [
      'half a jpeg',
      picture('jpeg', 300).then((jpeg) => jpeg.subarray(0, jpeg.length / 2)),
      'a.jpg',
      'image/jpeg',
    ],
    ['a bomb of 16,000 × 16,000', pngBomb(16_000, 16_000), 'a.png', 'image/png'],
    ['a bomb of 5,001 × 5,000', pngBomb(5_001, 5_000), 'a.png', 'image/png'],
    ['a bomb of 60,000 × 500', pngBomb(60_000, 500), 'a.png', 'image/png'],
  ];

  it.each(pages)('%s', async (_what, content, name, type) => {
    const before = await stored();
    const answer = await upload(await content, name, type);
    expect(answer.status).toBe(422);
    expect(answer.body.error.details[0]).toMatchObject({ param: 'file', code: 'media_unsupported' });
    expect(await stored()).toBe(before);
    await expect.poll(leftovers).toEqual([]);
  });

  it('a bomb, at once [U5]', async () => {
    const bomb = pngBomb(16_000, 16_000);
    expect(await cheapest(5, () => upload(bomb, 'a.png', 'image/png'))).toBeLessThan(100);
  });

  it('no file, two files, a file that is text, a long or empty name', async () => {
    const none = await api.form('/media', { filename: 'x' });
    expect(none.status).toBe(422);
    expect(none.body.error.details[0]).toMatchObject({ param: 'file', code: 'required' });
    const text = await api.form('/media', { file: 'hello' });
    expect(text.body.error).toMatchObject({ code: 'validation_failed', param: 'file' });
    const long = await upload('hello', 'a.txt', 'text/plain', { filename: 'x'.repeat(192) });
    expect(long.body.error.details[0]).toMatchObject({ param: 'filename', code: 'max' });
    const form = new FormData();
    for (const name of ['a.txt', 'b.txt']) form.append('file', fileOf('hello', name, 'text/plain'));
    const two = await postForm(api, form);
    expect(two.status).toBe(422);
    await expect.poll(leftovers).toEqual([]);
  });

  it('JSON, and an upload over tRPC', async () => {
    const json = await api.post('/media', { file: 'x' });
    expect(json.status).toBe(400);
    const trpc = await api.trpc('mutation', 'media.upload', { file: { path: '/etc/passwd', size: 1 } });
    expect(trpc.status).toBe(422);
  });

  it.each([
    ['image/jpeg', 5 * 1024 * 1024 + 1, Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
    ['video/mp4', 16 * 1024 * 1024 + 1, mp4('isom', 'vide', 1)],
    ['audio/ogg', 16 * 1024 * 1024 + 1, oggOpus()],
  ])('%s over its limit [U4]', async (type, size, beginning) => {
    const answer = await upload(Buffer.concat([beginning, Buffer.alloc(size - beginning.length)]), 'a', type);
    expect(answer.status).toBe(413);
    await expect.poll(leftovers).toEqual([]);
  });
});
