import { strFromU8, unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { errors } from '../schema/errors.ts';
import { guides } from '../server/http/docs-page.ts';
import { useServer } from './support/server.ts';

const server = useServer();
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server().url}${path}`, { headers });

let documents: { json: object; text: string } | undefined;

it('the document is served as JSON and as YAML', async () => {
  const json = (await (await get('/api/v1/openapi.json')).json()) as object;
  const yaml = await get('/api/v1/openapi.yaml');
  expect(yaml.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
  expect(yaml.headers.get('access-control-allow-origin')).toBe('*');
  const text = await yaml.text();
  const etag = yaml.headers.get('etag')!;
  expect((await get('/api/v1/openapi.yaml', { 'If-None-Match': etag })).status).toBe(304);
  documents = { json, text };
});

it('every error leads to its place in a page that anybody may read', async () => {
  const refused = await get('/api/v1/contacts');
  expect(refused.status).toBe(401);
  expect(refused.headers.get('link')).toBe('</docs/errors#unauthenticated>; rel="help"');
  const page = await get('/docs/errors');
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const text = await page.text();
  for (const code of Object.keys(errors)) expect(text).toContain(`id="${code}"`);
  expect((await get('/docs/plain.css')).headers.get('content-type')).toBe('text/css; charset=utf-8');
});

it('every guide is a page and Markdown, leads to the others, and asks no other host', async () => {
  const seen = new Set<string>();
  const ask = ['/docs/quick-start', '/docs/errors'];
  for (let at = ask.pop(); at !== undefined; at = ask.pop()) {
    seen.add(at);
    const response = await get(at);
    expect([response.status, response.headers.get('content-type')], at).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    const page = await response.text();
    expect(page, at).not.toMatch(/(?:src|rel="stylesheet" href)="(?:https?:)?\/\//);
    expect(page.match(/<nav [^>]*aria-label="Documentation"/g), at).toHaveLength(1);
    expect(page.match(/<h1[ >]/g), at).toHaveLength(1);
    expect(page, at).not.toMatch(/ style=|<style/);
    const markdown = await get(`${at}.md`);
    expect(markdown.headers.get('content-type'), at).toBe('text/markdown; charset=utf-8');
    expect(await markdown.text(), at).toMatch(/^# /);
    for (const [, path = ''] of page.matchAll(/href="(\/docs\/[a-z-]+)"/g))
      if (!seen.has(path) && !ask.includes(path)) ask.push(path);
  }
  expect(seen.size).toBe(guides.length);
});

it('collections of all requests know this server', async () => {
  const document = (await (await get('/api/v1/openapi.json')).json()) as { paths: Record<string, object> };
  const count = Object.values(document.paths).flatMap((item) => Object.keys(item)).length;
  const postman = await get('/docs/postman.json');
  const collection = (await postman.json()) as { item: { item: object[] }[]; variable: object[] };
  expect(collection.item.flatMap(({ item }) => item)).toHaveLength(count);
  expect(collection.variable).toContainEqual({ key: 'baseUrl', value: server().url });
  const bruno = await get('/docs/bruno.zip');
  expect(bruno.headers.get('content-type')).toBe('application/zip');
  const files = unzipSync(new Uint8Array(await bruno.arrayBuffer()));
  const requests = Object.values(files).filter((file) => strFromU8(file).startsWith('meta {'));
  expect(requests).toHaveLength(count);
  expect(strFromU8(files['parlour/environments/Parlour.bru'] ?? new Uint8Array())).toContain(server().url);
});

it('programs that read text find every page, and every operation', async () => {
  const text = await (await get('/docs/llms.txt')).text();
  for (const [name] of guides) expect(text).toContain(`${server().url}/docs/${name}.md`);
  const document = (await (await get('/api/v1/openapi.json')).json()) as { paths: Record<string, object> };
  const markdown = await (await get('/docs/openapi.md')).text();
  for (const [path, item] of Object.entries(document.paths))
    for (const method of Object.keys(item))
      expect(markdown).toContain(`### ${method.toUpperCase()} ${path}\n`);
});

it('only our own pages may frame the reference and the explorer, and nobody the rest', async () => {
  for (const path of ['/docs', '/explorer']) {
    const { headers } = await get(path, { Accept: 'text/html' });
    expect(headers.get('content-security-policy'), path).toContain("frame-ancestors 'self'");
    expect(headers.get('content-security-policy'), path).toContain("script-src 'self'");
    expect(headers.get('x-frame-options'), path).toBe('SAMEORIGIN');
  }
  const own = await get('/', { Accept: 'text/html' });
  expect(own.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(own.headers.get('x-frame-options')).toBe('DENY');
});

// The last: it takes a while, and connections that are kept alive would not outlast it.
it('the two forms of the document say the same', () => {
  expect(parse(documents?.text ?? '')).toEqual(documents?.json);
});
