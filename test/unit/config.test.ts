import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { acceptedNames } from '../../server/platform/config-variables.ts';
import { ConfigError, describeConfig, loadConfig, publicUrlFor } from '../../server/platform/config.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parlour-config-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

function inFolder(name: string, files: Record<string, string> = {}): string {
  const project = path.join(folder, name);
  fs.mkdirSync(project, { recursive: true });
  for (const [file, content] of Object.entries(files)) fs.writeFileSync(path.join(project, file), content);
  return project;
}

function problemsOf(env: Record<string, string>, project = inFolder('empty')): string[] {
  try {
    loadConfig(env, project);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('defaults', () => {
  const project = inFolder('defaults');
  const config = loadConfig({}, project);

  test('are those of the contract', () => {
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 4000,
      dataDir: path.join(project, '.data'),
      demo: true,
      webConcurrency: 1,
      trustProxy: 0,
      rateLimit: { perMinute: 120, unauthenticatedPerMinute: 60 },
      storageUrl: `file:${path.join(project, '.data', 'media')}`,
    });
    expect(publicUrlFor(config)).toBe('http://127.0.0.1:4000');
    expect(fs.readdirSync(project)).toEqual([]);
  });

  test('a database of one’s own has no demo company unless asked for', () => {
    const DATABASE_URL = 'postgresql://a:b@localhost/c';
    expect(loadConfig({ DATABASE_URL }, project).demo).toBe(false);
    expect(loadConfig({ DATABASE_URL, DEMO: '1' }, project).demo).toBe(true);
    expect(loadConfig({ DEMO: '0' }, project).demo).toBe(false);
  });

  test('an empty variable counts as absent', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: '' }, project).port).toBe(4000);
  });
});

describe('problems', () => {
  test('are all reported at once, with name, form and origin, without secrets', () => {
    const project = inFolder('wrong', { '.env': 'WEB_CONCURRENCY=many\nPORT=80\n' });
    const problems = problemsOf(
      { PORT: '65536', DATABASE_URL: 'mysql://root:hunter2@h/d', DEMO: 'yes', SECRET: 'hunter2' },
      project,
    );
    expect(problems).toEqual([
      'PORT: expected a port number from 0 to 65535 (0: any free port), got "65536" (from the environment)',
      expect.stringMatching(/^DATABASE_URL: expected a URL like postgresql:.* \(from the environment\)$/),
      'DEMO: expected 1 or 0, got "yes" (from the environment)',
      'WEB_CONCURRENCY: expected a number of processes from 1 to 64, got "many" (from .env)',
      expect.stringMatching(/^SECRET: expected at least 32 characters/),
    ]);
    expect(problems.join()).not.toContain('hunter2');
  });

  test.each(['1.5', '-1', '0x10', ' 1', '1e3', '99999999999999999999'])('PORT=%j is refused', (PORT) => {
    expect(problemsOf({ PORT })).toHaveLength(1);
  });

  test.each(['10.0.0.0/33', '10.0.0/8', 'fd00::/129', 'all', '10.0.0.0/8,,', '1.2.3.4/8/8'])(
    'WEBHOOK_ALLOW_CIDRS=%j is refused',
    (WEBHOOK_ALLOW_CIDRS) => expect(problemsOf({ WEBHOOK_ALLOW_CIDRS })).toHaveLength(1),
  );

  test('TRUST_PROXY takes hops or networks', () => {
    const project = inFolder('proxy');
    expect(loadConfig({ TRUST_PROXY: '2' }, project).trustProxy).toBe(2);
    expect(loadConfig({ TRUST_PROXY: '10.0.0.1, fd00::/8' }, project).trustProxy).toEqual([
      '10.0.0.1',
      'fd00::/8',
    ]);
    expect(problemsOf({ TRUST_PROXY: 'yes' })).toHaveLength(1);
  });
});

describe('secrets', () => {
  test('may come from files, but not twice', () => {
    const project = inFolder('files', { key: 'from-a-file\n' });
    expect(loadConfig({ AI_API_KEY_FILE: 'key' }, project).ai.apiKey).toBe('from-a-file');
    expect(problemsOf({ AI_API_KEY: 'x', AI_API_KEY_FILE: 'key' }, project)).toHaveLength(1);
    expect(problemsOf({ AI_API_KEY_FILE: 'absent' }, project)[0]).toContain('ENOENT');
  });

  test('are made once in DATA_DIR, mode 0600, and derived per purpose', () => {
    const project = inFolder('secret');
    const first = loadConfig({}, project).secrets.derive('cursor');
    const again = loadConfig({}, project);
    expect(first).toHaveLength(32);
    expect(again.secrets.derive('cursor')).toEqual(first);
    expect(again.secrets.derive('encryption')).not.toEqual(first);
    expect(fs.statSync(path.join(project, '.data/secret')).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.join(project, '.data')).mode & 0o777).toBe(0o700);
  });

  test('are hidden when the settings are printed', () => {
    const printed = describeConfig(loadConfig({ SECRET: 'x'.repeat(40), PORT: '1' }, inFolder('print')));
    expect(printed.find(({ name }) => name === 'SECRET')).toMatchObject({ value: '[hidden]' });
    expect(printed.find(({ name }) => name === 'PORT')).toEqual({
      name: 'PORT',
      value: 1,
      from: 'the environment',
    });
  });
});

test('the environment wins over .env', () => {
  const project = inFolder('env', { '.env': 'PORT=1\nHOST=::1\n' });
  const config = loadConfig({ PORT: '2' }, project);
  expect([config.port, config.host]).toEqual([2, '::1']);
  expect(publicUrlFor(config, 3)).toBe('http://[::1]:3');
});

test('.env.example names every variable, and no other', () => {
  const example = fs.readFileSync(path.resolve(import.meta.dirname, '../../.env.example'), 'utf8');
  const named = [...example.matchAll(/^# ([A-Z_]+)=/gm)].map((match) => match[1]!);
  const inOrder = (names: string[]) => new Set(names.toSorted((a, b) => a.localeCompare(b)));
  expect(inOrder(named)).toEqual(inOrder(acceptedNames));
  expect(named).toHaveLength(acceptedNames.length);
});
