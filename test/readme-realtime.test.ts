import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { insertConversations } from './support/rows.ts';
import { useServer } from './support/server.ts';

const server = useServer();
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
// The verifier of webhooks has its own test.
const examples = [...readme.matchAll(/```js\n(.*?)```/gs)]
  .map(([, code]) => String(code))
  .filter((code) => code.includes('PARLOUR_KEY'));

test('there are two examples', () => {
  expect(examples).toHaveLength(2);
});

test.each(examples.map((code) => [/from '([^']+)'/.exec(code)?.[1], code] as const))(
  'the example with %s works as printed',
  async (_name, code) => {
    const company = await server().company();
    const { key } = await company.key();
    const { port } = new URL(server().url);
    const child = spawn(process.execPath, ['--input-type=module', '-e', code.replaceAll('4000', port)], {
      env: { ...process.env, PARLOUR_KEY: key },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      let text = '';
      child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
      const client = await company.client();
      const [thread = ''] = await insertConversations(server().app, company.id, 1);
      const change = async () => {
        for (const action of ['close', 'reopen']) await client.post(`/conversations/${thread}/${action}`);
        return text;
      };
      await expect.poll(change, { timeout: 15_000, interval: 200 }).toContain('conversation.closed');
    } finally {
      child.kill();
    }
  },
);
