import http from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { WebhookClient } from '../../server/webhooks/request.ts';

const policy = { allowCidrs: ['127.0.0.0/8'], allowHttp: true };
const client = new WebhookClient(policy, { connect: 300, total: 600 });
const closing: (() => void)[] = [() => client.close()];
afterAll(() => {
  for (const close of closing) close();
});

async function serve(handler: http.RequestListener): Promise<string> {
  const server = http.createServer(handler);
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const post = (url: string) => client.post(url, { 'Content-Length': '2' }, Buffer.from('{}'));

describe('an attempt', () => {
  it('keeps at most 4 kB of an endless answer, hangs up and needs no memory for it [W7]', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let hungUp = false;
    const url = await serve((_request, response) => {
      response.once('close', () => (hungUp = true));
      const write = () => {
        while (!response.destroyed && response.write(chunk));
        response.once('drain', write);
      };
      write();
    });
    await post(url);
    const before = process.memoryUsage();
    for (let n = 0; n < 5; n++) {
      const outcome = await post(url);
      expect(outcome).toMatchObject({ status: 200, error: null });
      expect(outcome.body).toHaveLength(4096);
    }
    const after = process.memoryUsage();
    expect(after.external + after.arrayBuffers - before.external - before.arrayBuffers).toBeLessThan(
      5_000_000,
    );
    await expect.poll(() => hungUp).toBe(true);
  });

  it('keeps of any bytes what PostgreSQL can store', async () => {
    const url = await serve((_request, response) => response.end(Buffer.alloc(10_000, 0xff)));
    const zeros = await serve((_request, response) => response.end(Buffer.alloc(5_000)));
    for (const { body } of [await post(url), await post(zeros)]) {
      expect(Buffer.byteLength(body ?? '')).toBeLessThanOrEqual(4096);
      expect(body).toMatch(/^\uFFFD+$/);
    }
  });

  it('fails with a time-out when no answer comes, and when its end does not come [W7]', async () => {
    const silent = await serve(() => {});
    const unfinished = await serve((_request, response) => response.writeHead(200).write('a'));
    for (const url of [silent, unfinished])
      expect(await post(url)).toMatchObject({
        status: null,
        error: 'timeout',
        message: 'No complete answer within 0.6 s.',
      });
  });

  it('fails with a time-out when no connection comes about [W7]', async () => {
    // The handshake of TLS is part of it.
    const deaf = net.createServer(() => {});
    closing.push(() => deaf.close());
    await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve));
    const url = `https://127.0.0.1:${(deaf.address() as AddressInfo).port}/`;
    expect(await post(url)).toMatchObject({ error: 'timeout', message: 'No connection within 0.3 s.' });
  });

  it('tells a refused connection, an unknown name, bad TLS and a broken answer apart', async () => {
    const plain = await serve((_request, response) => response.end());
    const cut = await serve((_request, response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('half');
      setTimeout(() => response.destroy(), 20);
    });
    const closed = net.createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    expect((await post(`http://127.0.0.1:${port}/`)).error).toBe('connect');
    expect((await post(plain.replace('http:', 'https:'))).error).toBe('tls');
    expect((await post(cut)).error).toBe('reset');
    const unknown = new WebhookClient(policy, undefined, async () => {
      throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
    });
    expect((await unknown.post('https://nowhere.example/', {}, Buffer.alloc(0))).error).toBe('dns');
    unknown.close();
  });

  it('is made again at once when a kept connection turns out to be closed', async () => {
    let requests = 0;
    const url = await serve((request, response) => {
      requests++;
      // The second request on a connection finds it cut.
      if (Reflect.get(request.socket, 'used') === true) request.socket.destroy();
      else {
        Reflect.set(request.socket, 'used', true);
        response.end('ok');
      }
    });
    expect((await post(url)).error).toBeNull();
    expect((await post(url)).error).toBeNull();
    expect(requests).toBe(3);
  });
});
