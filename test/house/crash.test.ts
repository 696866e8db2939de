import { afterEach, beforeEach, expect, it } from 'vitest';
import { KilledServer } from '../support/killed-server.ts';
import { createTestDatabase } from '../support/postgres.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let server: KilledServer;

beforeEach(async () => {
  database = await createTestDatabase();
});

afterEach(async () => {
  server.stop();
  await database.drop();
});

it.each([
  ['an exception that nobody catches', "throw new Error('broken')"],
  ['a rejection that nobody handles', "void Promise.reject(new Error('broken'))"],
])('%s ends the process in order, with another code than 0 [D11]', async (_name, fault) => {
  // What breaks is put into the process from outside, and breaks when it is told to.
  const module = encodeURIComponent(`process.on('SIGUSR2', () => { ${fault} })`);
  server = await KilledServer.over(database.url, {
    DEMO: '0',
    NODE_OPTIONS: `--import=data:text/javascript,${module}`,
  });
  server.start();
  await server.ready();
  const exit = server.exit();
  server.kill('SIGUSR2');
  expect(await exit).toBe(1);
});
