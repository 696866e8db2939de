import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const projectDir = path.resolve(import.meta.dirname, '../..');

/** Where nothing was changed that the job would have to wait for. */
const alone: Readonly<Record<string, string>> = {
  'server/account/identity.ts': 'better-auth has committed the token that the mail brings',
  'server/automation/work.ts': 'a sweep, which looks for jobs that were lost',
  'server/channels/webhook.ts': 'what a provider tells us lies in the job itself',
  'server/demo/assistance.ts': 'the demo, once it is made',
  'server/messages/deliver.ts': 'the same work again, later',
  'server/messages/work.ts': 'a sweep as well',
};

test('jobs are queued in the transaction of the change that asks for them [M2]', () => {
  const outside = new Set<string>();
  for (const file of globSync('server/**/*.ts', { cwd: projectDir })) {
    const text = readFileSync(path.join(projectDir, file), 'utf8');
    for (const [, given = ''] of text.matchAll(/jobs\.enqueue(?:All)?\(([\s\S]*?)\);\n/g))
      if (!/[{ ]db\b/.test(given)) outside.add(file);
  }
  expect([...outside].sort()).toEqual(Object.keys(alone).sort());
});
