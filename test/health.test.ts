import { expect, it } from 'vitest';
import { useServer } from './support/server.ts';

const server = useServer({ RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE: '2' });

const get = async (path: string) => {
  const response = await fetch(`${server().url}${path}`);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

it('probes need no key and have no budget', async () => {
  for (let n = 0; n < 5; n++)
    for (const path of ['/livez', '/readyz', '/version', '/metrics']) {
      const { status, headers } = await get(path);
      expect([path, status, headers.get('x-ratelimit-limit')]).toEqual([path, 200, null]);
    }
});

it('readiness tells of each thing and how long it took', async () => {
  const { status, checks } = JSON.parse((await get('/readyz')).text);
  expect(status).toBe('ready');
  expect(checks.map(({ name, ok }: { name: string; ok: boolean }) => [name, ok])).toEqual([
    ['process', true],
    ['database', true],
    ['migrations', true],
    ['queue', true],
    ['storage', true],
  ]);
  for (const { ms } of checks) expect(ms).toBeTypeOf('number');
});

it('the version tells what runs, and when its dashboard was built', async () => {
  const told = JSON.parse((await get('/version')).text);
  expect(told).toMatchObject({ name: 'parlour', api: 'v1', commit: null, node: process.version });
  expect(told.version).toMatch(/^\d+\.\d+\.\d+$/);
  // Both, or neither where no dashboard is built.
  if (told.dashboard === null) expect(told.built_at).toBeNull();
  else expect(Date.parse(told.built_at)).toBeLessThanOrEqual(Date.now());
});
