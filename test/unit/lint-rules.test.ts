import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const projectDir = path.resolve(import.meta.dirname, '../..');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parlour-lint-'));

// file, import, and whether the folder rules allow it
const imports: [file: string, statement: string, allowed: boolean][] = [
  ['schema/contacts.ts', "import { x } from './common.ts';", true],
  ['schema/contacts.ts', "import { x } from '../server/platform/ids.ts';", false],
  ['server/platform/ids.ts', "import { x } from '../../schema/common.ts';", true],
  ['server/platform/ids.ts', "import { x } from '../../prisma/generated/client.ts';", true],
  ['server/platform/ids.ts', "import { x } from '../contacts/service.ts';", false],
  ['server/platform/ids.ts', "import { x } from '../http/rest.ts';", false],
  ['server/platform/ids.ts', "import { x } from '../app-router.ts';", false],
  ['server/platform/ids.ts', "import { x } from '../cli/cli.ts';", false],
  ['server/platform/ids.ts', "import { x } from 'express';", false],
  ['server/messages/service.ts', "import { x } from '../conversations/service.ts';", true],
  ['server/messages/service.ts', "import { x } from '../contacts/service.ts';", true],
  ['server/contacts/service.ts', "import { x } from '../messages/service.ts';", false],
  ['server/tags/service.ts', "import { x } from '../contacts/service.ts';", false],
  ['server/account/service.ts', "import { x } from '../webhooks/service.ts';", false],
  ['server/contacts/service.ts', "import { x } from '@trpc/server';", false],
  ['server/contacts/notes.ts', "import { x } from 'graphql';", false],
  ['server/contacts/service.ts', "import { x } from './present.ts';", true],
  ['server/contacts/service.ts', "import { x } from './router.ts';", false],
  ['server/contacts/service.ts', "import { x } from '../http/headers.ts';", false],
  ['server/contacts/service.ts', "import { x } from '../cli/cli.ts';", false],
  ['server/contacts/router.ts', "import { x } from '@trpc/server';", true],
  ['server/contacts/router.ts', "import { x } from './present.ts';", true],
  ['server/contacts/router.ts', "import { x } from '../messages/service.ts';", false],
  ['server/contacts/graphql.ts', "import { x } from '../platform/graphql.ts';", true],
  ['server/contacts/present.ts', "import { x } from '@trpc/server';", false],
  ['server/contacts/router.ts', "import { x } from 'express';", false],
  ['server/http/rest.ts', "import { x } from '../app-router.ts';", true],
  ['server/http/rest.ts', "import { x } from 'express';", true],
  ['server/http/rest.ts', "import { x } from '../contacts/service.ts';", false],
  ['server/app.ts', "import { x } from './http/rest.ts';", true],
  ['server/app.ts', "import { x } from './cli/cli.ts';", false],
  ['server/app.ts', "import { x } from 'express';", false],
  ['web-client/src/contacts/list.tsx', "import { x } from '../../../schema/contacts.ts';", true],
  ['web-client/src/contacts/list.tsx', "import type { x } from '../../../server/app-router.ts';", true],
  ['web-client/src/contacts/list.tsx', "import { x } from '../../../server/app-router.ts';", false],
  ['web-client/src/contacts/list.tsx', "import { x } from '../../../server/contacts/service.ts';", false],
  [
    'web-client/src/contacts/list.tsx',
    "import type { x } from '../../../server/contacts/service.ts';",
    false,
  ],
];

// Rules go by path, and several cases are about one path: each such case gets a tree of its own.
const seen = new Map<string, number>();
const cases = imports.map(([file, statement, allowed]) => {
  const tree = seen.get(file) ?? 0;
  seen.set(file, tree + 1);
  return { tree: `tree-${tree}`, file, statement, allowed };
});
const refused = new Set<string>();

function lint(root: string): { code: string; filename: string }[] {
  fs.copyFileSync(path.join(projectDir, 'oxlint.config.ts'), path.join(root, 'oxlint.config.ts'));
  const oxlint = path.join(projectDir, 'node_modules/.bin/oxlint');
  const { stdout } = spawnSync(oxlint, ['--format=json'], { cwd: root, encoding: 'utf8' });
  return (JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] }).diagnostics;
}

function write(file: string, content: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
}

beforeAll(() => {
  fs.symlinkSync(path.join(projectDir, 'node_modules'), path.join(folder, 'node_modules'));
  for (const { tree, file, statement } of cases) {
    const use = statement.startsWith('import type') ? 'export type Y = x;' : 'export const y = x;';
    write(path.join(folder, tree, file), `${statement}\n${use}\n`);
  }
  for (const tree of new Set(cases.map((item) => item.tree))) {
    for (const { code, filename } of lint(path.join(folder, tree))) {
      if (code.includes('no-restricted-imports')) refused.add(path.join(tree, filename));
    }
  }
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

test.each(cases)('$file: $statement → $allowed', ({ tree, file, allowed }) => {
  expect(refused.has(path.join(tree, file))).toBe(!allowed);
});

test('a cycle is refused', () => {
  const root = path.join(folder, 'cycle');
  write(path.join(root, 'schema/a.ts'), "import { b } from './b.ts';\nexport const a = () => b;\n");
  write(path.join(root, 'schema/b.ts'), "import { a } from './a.ts';\nexport const b = () => a;\n");
  expect(lint(root).some(({ code }) => code.includes('no-cycle'))).toBe(true);
});
