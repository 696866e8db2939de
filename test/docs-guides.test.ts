import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureDemo } from '../server/demo/demo.ts';
import { type Block, blocksOf, guideNames, quietPort, Terminal } from './support/guides.ts';
import { Client } from './support/client.ts';
import { installSdk } from './support/sdk-package.ts';
import { testSecret, useServer } from './support/server.ts';

const server = useServer();
let demo: NonNullable<Awaited<ReturnType<typeof ensureDemo>>>;
let environment: Record<string, string>;
let replace: Record<string, string>;
const packages = mkdtempSync(path.join(tmpdir(), 'parlour-packages-'));

afterAll(() => rmSync(packages, { recursive: true }));
beforeAll(async () => {
  installSdk(packages, ['graphql', 'graphql-ws', 'pusher-js', 'ws']);
  const made = await ensureDemo(server().app);
  if (!made) throw new Error('The demo was not made.');
  demo = made;
  environment = {
    DATABASE_URL: server().databaseUrl,
    DATA_DIR: server().app.config.dataDir,
    SECRET: testSecret,
    PARLOUR_URL: server().url,
    PARLOUR_COMPANY: demo.company.id,
    PARLOUR_KEY: demo.keys.live,
  };
  replace = { '4000': new URL(server().url).port, '3000': String(await quietPort()) };
});

const runnable = new Set(['sh', 'js', 'ts', 'python', 'text']);
const isRun = (block: Block) => !block.byHand && (runnable.has(block.language) || block.file !== undefined);

describe.each(guideNames.filter((name) => blocksOf(name).some(isRun)))('the guide %s', (name) => {
  it('does what it says', async () => {
    const terminal = new Terminal(environment, replace, path.join(packages, 'node_modules'));
    const api = new Client(server().url, demo.keys.live);
    const { body } = await api.get('/conversations', { status: 'open', limit: 1 });
    const happen = async () => {
      for (const action of ['close', 'reopen']) await api.post(`/conversations/${body.data[0].id}/${action}`);
    };
    try {
      for (const block of blocksOf(name).filter(isRun))
        await terminal.run(block, name === 'realtime' ? happen : undefined);
    } finally {
      await terminal.close();
    }
  });

  const byHand = blocksOf(name).filter((block) => block.byHand);
  it.skipIf(byHand.length > 0)(`has ${byHand.length} blocks that only a person can follow`, () => {});
});

describe('blocks that are not run', () => {
  it('are examples of JSON that can be read', () => {
    const others = guideNames.flatMap(blocksOf).filter((block) => !isRun(block) && !block.byHand);
    for (const { language, code } of others) {
      expect(language).toBe('json');
      JSON.parse(code);
    }
  });
});

/** A program around the guide's verifier, which prints what it says of each case. */
const harnesses: Record<string, { file: string; program: string; command: string[]; needs: string[] }> = {
  ts: {
    file: 'main.ts',
    program: `import { readFileSync } from 'node:fs';
import { verifyWebhook } from './verify.ts';
const cases = JSON.parse(readFileSync('cases.json', 'utf8'));
console.log(cases.map(([body, header, secret]) => verifyWebhook(Buffer.from(body), header, secret)).join(' '));`,
    command: [process.execPath, 'main.ts'],
    needs: [process.execPath, '--version'],
  },
  python: {
    file: 'main.py',
    program: `import json
from verify import verify_webhook
cases = json.load(open("cases.json", encoding="utf-8"))
print(*(str(verify_webhook(b.encode(), h, s)).lower() for b, h, s in cases))`,
    command: ['python3', 'main.py'],
    needs: ['python3', '--version'],
  },
  php: {
    file: 'main.php',
    program: `<?php
require 'verify.php';
$cases = json_decode(file_get_contents('cases.json'), true);
echo implode(' ', array_map(fn ($c) => verify_webhook($c[0], $c[1], $c[2]) ? 'true' : 'false', $cases));`,
    command: ['php', 'main.php'],
    needs: ['php', '--version'],
  },
  go: {
    file: 'main.go',
    program: `package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	var cases [][3]string
	text, _ := os.ReadFile("cases.json")
	json.Unmarshal(text, &cases)
	for _, c := range cases {
		fmt.Print(VerifyWebhook([]byte(c[0]), c[1], c[2]), " ")
	}
}`,
    command: ['go', 'run', 'verify.go', 'main.go'],
    needs: ['go', 'version'],
  },
};

describe.each(Object.entries(harnesses))(
  'the verifier in %s',
  (language, { file, program, command, needs }) => {
    const [needed = '', ...version] = needs;
    const present = spawnSync(needed, version).status === 0;

    it.skipIf(!present)('accepts what Parlour signed, and nothing that was changed or is old', () => {
      const block = blocksOf('webhooks').find((one) => one.language === language && one.file !== undefined);
      const cwd = mkdtempSync(path.join(tmpdir(), 'parlour-verifier-'));
      const secret = 'whsec_c2VjcmV0';
      const body = '{"type":"contact.created","data":{"object":{"name":"Inês"}}}';
      const now = Math.floor(Date.now() / 1000);
      const signed = (t: number) =>
        `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
      const cases: [boolean, string, string, string][] = [
        [true, body, signed(now), secret],
        [true, body, `${signed(now)},v1=${'0'.repeat(64)}`, secret],
        [true, body, signed(now).replace(',v1', `,v1=${'0'.repeat(64)},v1`), secret],
        [false, `${body} `, signed(now), secret],
        [false, body, signed(now - 3600), secret],
        [false, body, signed(now + 3600), secret],
        [false, body, signed(now), `${secret}x`],
        [false, body, signed(now).replace('v1=', 'v0='), secret],
        [false, body, signed(now).slice(0, -1), secret],
        [false, body, `t=${now},v1=é`, secret],
        [false, body, `t=${now},v1`, secret],
        [false, body, 'v1=00', secret],
        [false, body, '', secret],
      ];
      writeFileSync(path.join(cwd, block?.file ?? ''), block?.code ?? '');
      writeFileSync(path.join(cwd, file), program);
      writeFileSync(path.join(cwd, 'cases.json'), JSON.stringify(cases.map(([, ...given]) => given)));
      const [executable = '', ...rest] = command;
      const { stdout, stderr } = spawnSync(executable, rest, { cwd, encoding: 'utf8' });
      rmSync(cwd, { recursive: true });
      expect(stdout.trim(), stderr).toBe(cases.map(([accepted]) => accepted).join(' '));
    });
  },
);
