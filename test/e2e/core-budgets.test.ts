import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

const dist = path.resolve(import.meta.dirname, '../../web-client/dist');

interface Chunk {
  file: string;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
}

/** Gzip, in bytes, of everything that a browser must have before the first page is drawn. */
function firstLoad(entries: readonly string[], manifest: Record<string, Chunk>): { js: number; css: number } {
  const chunks = new Set<string>();
  const add = (name: string) => {
    if (chunks.has(name)) return;
    chunks.add(name);
    for (const needed of manifest[name]?.imports ?? []) add(needed);
  };
  for (const entry of entries) add(entry);
  const files = [...chunks].flatMap((name) => [manifest[name]?.file ?? '', ...(manifest[name]?.css ?? [])]);
  const size = (end: string) =>
    [...new Set(files)]
      .filter((file) => file.endsWith(end))
      .reduce((sum, file) => sum + gzipSync(fs.readFileSync(path.join(dist, file))).length, 0);
  return { js: size('.js'), css: size('.css') };
}

describe('what a browser loads first, gzip', () => {
  const manifest = JSON.parse(fs.readFileSync(path.join(dist, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >;

  it('is below 250 kB of JavaScript and 30 kB of style for the application, its frame included', () => {
    const { js, css } = firstLoad(['index.html', 'src/app/shell.tsx'], manifest);
    process.stdout.write(`application: ${js} B JavaScript (limit 250000), ${css} B style (limit 30000)\n`);
    expect(js).toBeLessThan(250_000);
    expect(css).toBeLessThan(30_000);
  });

  it('is below 150 kB of JavaScript for the sign-in page', () => {
    const { js } = firstLoad(['sign-in.html'], manifest);
    process.stdout.write(`sign-in: ${js} B JavaScript (limit 150000)\n`);
    expect(js).toBeLessThan(150_000);
  });

  it('is below 60 kB for any other page, 110 kB for the calendar', () => {
    const base = firstLoad(['index.html', 'src/app/shell.tsx'], manifest).js;
    for (const name of Object.keys(manifest).filter((entry) => entry.endsWith('-page.tsx'))) {
      const { js } = firstLoad(['index.html', 'src/app/shell.tsx', name], manifest);
      expect(js - base, name).toBeLessThan(name.includes('bookings') ? 110_000 : 60_000);
    }
  });
});
