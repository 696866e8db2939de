import { execFile } from 'node:child_process';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildWebClient, projectDir } from './support/browser.ts';
import { startServer, type TestServer, useServer } from './support/server.ts';
import { addWebchat, page, Visitor } from './support/webchat.ts';

const server = useServer();

describe('the script', () => {
  beforeAll(buildWebClient);
  const get = (headers: Record<string, string> = {}) =>
    fetch(`${server().url}/webchat/widget.js`, { headers: { Origin: page, ...headers } });

  it('may be loaded by any page, and is asked for again by its ETag', async () => {
    const first = await get();
    expect(first.status).toBe(200);
    expect(first.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(first.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(first.headers.get('access-control-allow-origin')).toBe('*');
    expect(first.headers.get('x-content-type-options')).toBe('nosniff');
    expect(first.headers.get('content-encoding')).toBe('gzip');
    const text = await first.text();
    const again = await get({ 'If-None-Match': first.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
    const plain = await get({ 'Accept-Encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await plain.text()).toBe(text);
  });
});

describe('the demo page', () => {
  it('is there in demo mode alone, with a policy as strict as ours', async () => {
    expect((await fetch(`${server().url}/webchat/demo`)).status).toBe(404);
    const demo: TestServer = await startServer({ DEMO: '1' });
    try {
      const none = await fetch(`${demo.url}/webchat/demo`);
      expect(await none.text()).toContain('There is no webchat channel yet');
      const channel = await addWebchat(demo, (await demo.company()).id, { allowed_origins: [] });
      const shown = await fetch(`${demo.url}/webchat/demo`);
      expect(await shown.text()).toContain(`data-channel="${channel}"`);
      expect(shown.headers.get('content-security-policy')).toContain("script-src 'self'");
      const odd = await fetch(
        `${demo.url}/webchat/demo?channel=${encodeURIComponent('"><script>1</script>')}`,
      );
      expect(await odd.text()).not.toContain('<script>1');
      const visitor = new Visitor(demo.url, channel);
      visitor.origin = demo.url;
      expect((await visitor.start()).status).toBe(201);
    } finally {
      await demo.close();
    }
  });
});

describe('the command line', () => {
  function parlour(...args: string[]): Promise<{ code: number; value: Record<string, unknown> }> {
    const { app, databaseUrl } = server();
    const env = {
      ...process.env,
      DATABASE_URL: databaseUrl,
      DATA_DIR: app.config.dataDir,
      LOG_LEVEL: 'error',
    };
    const command = [path.join(projectDir, 'server/main.ts'), '--json', ...args];
    return new Promise((resolve) => {
      execFile(process.execPath, command, { env }, (error, stdout) => {
        resolve({ code: error ? Number(error.code) : 0, value: JSON.parse(stdout) });
      });
    });
  }

  const create = (company: string, name: string) =>
    `channels create --kind webchat --company ${company} --name ${name} --config`.split(' ');

  it('makes a channel and prints what goes into the page, and the secret for its server', async () => {
    const company = await server().company();
    const { code, value } = await parlour(
      ...create(company.id, 'Site'),
      JSON.stringify({ allowed_origins: [page] }),
    );
    expect(code).toBe(0);
    expect(value).toMatchObject({
      kind: 'webchat',
      snippet: expect.stringContaining('/webchat/widget.js" data-channel='),
    });
    expect(value['snippet']).toContain(value['id']);
    const told = await parlour('channels', 'webchat', String(value['id']), '--company', company.id);
    expect(told.value).toMatchObject({
      channel: value['id'],
      identity_secret: expect.stringMatching(/^wci_[\w-]{43}$/),
    });
    const other = await parlour(
      'channels',
      'webchat',
      String(value['id']),
      '--company',
      (await server().company()).id,
    );
    expect(other.code).toBe(1);
    const wrong = await parlour(
      ...create(company.id, 'X'),
      JSON.stringify({ allowed_origins: ['shop.example'] }),
    );
    expect(wrong.code).toBe(2);
  });
});
