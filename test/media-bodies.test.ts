import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from './support/client.ts';
import { filesIn, postForm, uploadTo } from './support/media.ts';
import { useServer } from './support/server.ts';

const server = useServer();
let api: Client;

beforeAll(async () => {
  api = await (await server().company()).client();
});

const leftovers = () => filesIn(server().app, 'uploads');
const boundary = 'multipart/form-data; boundary=x';
const part = (head: string, body = 'hello', end = '\r\n--x--\r\n') => `--x\r\n${head}\r\n\r\n${body}${end}`;
const named = 'Content-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain';

describe('a hostile body [U4]', () => {
  it.each([
    ['no boundary', 'multipart/form-data', part(named), 400],
    ['another type', 'text/plain', 'hello', 400],
    ['nothing', boundary, '', 400],
    ['only an end', boundary, '--x--\r\n', 422],
    ['cut off in the file', boundary, part(named, 'hello', ''), 400],
    ['cut off in the header', boundary, '--x\r\nContent-Disposition: form-da', 400],
    ['no end', boundary, part(named, 'hello', '\r\n--x\r\n'), 400],
    ['another boundary', boundary, part(named).replaceAll('--x', '--y'), 400],
    [
      'no name',
      boundary,
      part('Content-Disposition: form-data; filename="a.txt"\r\nContent-Type: text/plain'),
      422,
    ],
    ['an empty name', boundary, part('Content-Disposition: form-data; name=""; filename=""'), 422],
    ['no disposition', boundary, part('Content-Type: text/plain'), 422],
    ['a huge index', boundary, part(named.replace('"file"', '"file[999999999]"')), 422],
    ['__proto__', boundary, part('Content-Disposition: form-data; name="__proto__"'), 422],
    [
      'cut off in a file of another name',
      boundary,
      part(named.replace('"file"', '"other"'), 'hello', ''),
      400,
    ],
    ['cut off in a second file', boundary, part(named, 'x', '\r\n') + part(named, 'hello', ''), 422],
    [
      'cut off in a file of another name, after a good one',
      boundary,
      part(named, 'x', '\r\n') + part(named.replace('"file"', '"other"'), 'hello', ''),
      422,
    ],
    [
      'cut off in the header of a part after a file',
      boundary,
      part(named, 'x', '\r\n') + '--x\r\nContent-Dispo',
      400,
    ],
    ['a line break in the name', boundary, part(named.replace('a.txt', 'a\r\n.txt')), 201],
  ])('%s', async (_what, type, body, status) => {
    const answer = await postForm(api, new TextEncoder().encode(body), { 'Content-Type': type });
    expect(answer.status).toBe(status);
    await expect.poll(leftovers).toEqual([]);
  });

  it('of eleven parts is too large', async () => {
    const parts = Array.from({ length: 11 }, (_, n) =>
      part(`Content-Disposition: form-data; name="f${n}"`, 'x', '\r\n'),
    );
    const answer = await postForm(api, new TextEncoder().encode(`${parts.join('')}--x--\r\n`), {
      'Content-Type': boundary,
    });
    expect(answer.status).toBe(413);
  });

  it('that ends with its connection leaves nothing', async () => {
    const { hostname, port } = new URL(server().url);
    for (let n = 0; n < 20; n++) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () => {
          const head = `POST /api/v1/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.key}\r\nContent-Type: ${boundary}\r\nContent-Length: 100000\r\n\r\n`;
          socket.write(head + part(named, 'x'.repeat(500 * n), ''), () =>
            setTimeout(() => socket.destroy(), 10),
          );
        });
        socket.on('close', () => resolve());
        socket.on('error', () => undefined);
      });
    }
    await expect.poll(leftovers).toEqual([]);
    expect((await uploadTo(api, 'still here', 'a.txt', 'text/plain')).status).toBe(201);
  });
});

describe('the body over the cap [U4]', () => {
  const small = useServer({ MEDIA_MAX_BYTES: '2048' });

  it('is 413, whether its length is told or counted', async () => {
    const client = await (await small().company()).client();
    const big = new Uint8Array(3 * 1024 * 1024).fill(97);
    expect(
      (await client.form('/media', { file: new File([big], 'a.txt', { type: 'text/plain' }) })).status,
    ).toBe(413);
    const little = new File([big.subarray(0, 2049)], 'a.txt', { type: 'text/plain' });
    expect((await client.form('/media', { file: little })).status).toBe(413);
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(part(named, '', '')));
        controller.enqueue(big);
        controller.close();
      },
    });
    const response = await fetch(`${small().url}/api/v1/media`, {
      method: 'POST',
      body: stream,
      headers: { Authorization: `Bearer ${client.key}`, 'Content-Type': boundary },
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
    expect(filesIn(small().app, 'uploads')).toEqual([]);
    const fits = new File([big.subarray(0, 2048)], 'a.txt', { type: 'text/plain' });
    expect((await client.form('/media', { file: fits })).status).toBe(201);
  });
});
