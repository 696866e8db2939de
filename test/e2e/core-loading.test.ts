import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasBrowser, projectDir } from '../support/browser.ts';
import { readManifest } from '../support/bundle.ts';
import { useServer } from '../support/server.ts';
import { signIn, useBrowser } from '../support/visitor.ts';

const server = useServer();
const visit = useBrowser();

describe('what the dashboard is made of', () => {
  const { file = '' } = readManifest()['index.html'] ?? {};

  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ])('goes out as small as the browser takes it: %s', async (accepted, encoding) => {
    const answer = await fetch(`${server().url}/${file}`, { headers: { 'Accept-Encoding': accepted } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('vary')).toMatch(/Accept-Encoding/i);
    expect(answer.headers.get('content-type')).toMatch(/^text\/javascript/);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const built = fs.readFileSync(path.join(projectDir, 'web-client/dist', file), 'utf8');
    expect(await answer.text()).toBe(built);
  });

  it.each([
    ['/inbox', 'src/inbox/inbox-page.tsx'],
    ['/conversations/01JZ0000000000000000000000', 'src/conversation/conversation-page.tsx'],
    ['/contacts/01JZ0000000000000000000000', 'src/contacts/contact-page.tsx'],
    ['/settings/nowhere', 'index.html'],
    ['/__proto__/constructor', 'index.html'],
  ])('is named in the page that will need it, each file once: %s', async (address, source) => {
    const page = await (await fetch(server().url + address, { headers: { Accept: 'text/html' } })).text();
    const files = [...page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, name]) => name ?? '');
    expect(files).toContain(`/${readManifest()[source]?.file}`);
    expect(new Set(files).size).toBe(files.length);
    for (const name of files) expect((await fetch(server().url + name)).status).toBe(200);
  });

  it.skipIf(!hasBrowser)('asks once for the profile, and before its script runs', async () => {
    const company = await server().company('Casa');
    const visitor = await visit(server().url);
    await signIn(visitor, company.owner.email, '/home');
    const asked: string[] = [];
    visitor.page.on('request', (request) => asked.push(request.url()));
    await visitor.page.reload();
    await visitor.page.getByRole('heading', { level: 1 }).waitFor();
    const profiles = asked.filter((url) => url.includes('account.profile'));
    expect(profiles).toHaveLength(1);
    const early = await visitor.page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map((entry) => [entry.name, (entry as PerformanceResourceTiming).initiatorType]),
    );
    expect(early).toContainEqual([profiles[0], 'link']);
  });
});
