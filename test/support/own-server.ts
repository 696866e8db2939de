import { afterAll, beforeAll } from 'vitest';
import { Client } from './client.ts';
import { KilledServer } from './killed-server.ts';
import { createTestDatabase } from './postgres.ts';

/**
 * A server in a process of its own for the tests of a file, over an own database with the demo company.
 * @returns how to get at it, and at a client with the company's live key, once the tests run
 */
export function useOwnServer(): () => { server: KilledServer; api: Client } {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let server: KilledServer;
  let api: Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    server = await KilledServer.over(database.url, { DEMO: '0' });
    api = new Client(server.url, (await server.demo()).keys.live);
    server.start();
    await server.ready();
  });

  afterAll(async () => {
    server.stop();
    await database.drop();
  });

  return () => ({ server, api });
}
