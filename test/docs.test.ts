import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { errors } from '../schema/errors.ts';
import { useServer } from './support/server.ts';

const server = useServer();
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server().url}${path}`, { headers });

it('the document is served as JSON and as YAML, the same', async () => {
  const json = (await (await get('/api/v1/openapi.json')).json()) as object;
  const yaml = await get('/api/v1/openapi.yaml');
  expect(yaml.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
  expect(yaml.headers.get('access-control-allow-origin')).toBe('*');
  expect(parse(await yaml.text())).toEqual(json);
  const etag = yaml.headers.get('etag')!;
  expect((await get('/api/v1/openapi.yaml', { 'If-None-Match': etag })).status).toBe(304);
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
