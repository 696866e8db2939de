import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { buildWebClient, projectDir } from '../support/browser.ts';

let built: string;

beforeAll(() => {
  buildWebClient();
  built = readFileSync(path.join(projectDir, 'web-client/dist/webchat/widget.js'), 'utf8');
});

test('the widget is under 25 kB as it travels', () => {
  expect(gzipSync(built, { level: 9 }).length).toBeLessThan(25_000);
});

test('it holds nothing that a strict policy forbids', () => {
  for (const forbidden of [
    'eval(',
    'new Function',
    'innerHTML',
    'insertAdjacentHTML',
    'document.write',
    '.setAttribute("style',
  ])
    expect(built.includes(forbidden), forbidden).toBe(false);
  expect(built).not.toMatch(/^(?:import|export)\b/m);
});

test('it is one script without anything beside it', () => {
  expect(built).not.toMatch(/\bimport\(|url\(|@import/);
});
