import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from './support/client.ts';
import { hasPgbouncer, OwnPgbouncer } from './support/pgbouncer.ts';
import { createTestDatabase } from './support/postgres.ts';
import { startServer, type TestCompany, type TestServer } from './support/server.ts';
import { socketClient, Subscribed } from './support/subscribe.ts';

describe.skipIf(!hasPgbouncer)('behind pgbouncer in transaction mode', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let pooler: OwnPgbouncer;
  let server: TestServer;
  let company: TestCompany;
  let api: Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    pooler = await OwnPgbouncer.before(database.url);
    const variables = { DATABASE_URL: pooler.url, DIRECT_DATABASE_URL: database.url };
    server = await startServer(variables, database.url);
    company = await server.company();
    api = await company.client();
  });

  afterAll(async () => {
    await server?.close();
    pooler?.close();
    await database?.drop();
  });

  it('serves many at once over few connections, and all that they do goes that way', async () => {
    const before = await pooler.transactions();
    const names = Array.from({ length: 60 }, (_, n) => `Contact ${n}`);
    const made = await Promise.all(names.map((name) => api.post('/contacts', { name })));
    expect(made.map(({ status }) => status)).toEqual(names.map(() => 201));
    // The same statements again, on whichever connection it is: none was prepared for another.
    const read = await Promise.all(made.map(({ body }) => api.get(`/contacts/${body.data.id}`)));
    expect(read.map(({ body }) => body.data.name)).toEqual(names);
    const { body: all } = await api.get('/contacts', { limit: 100 });
    expect(all.data).toHaveLength(names.length);
    expect((await pooler.transactions()) - before).toBeGreaterThanOrEqual(names.length);
  });

  it('keeps companies apart', async () => {
    const other = await (await server.company()).client();
    const { body } = await api.post('/contacts', { name: 'Ours' });
    const [own, theirs] = await Promise.all([
      api.get(`/contacts/${body.data.id}`),
      other.get(`/contacts/${body.data.id}`),
    ]);
    expect([own.status, theirs.status]).toEqual([200, 404]);
  });

  it('hears what happens over the direct way', async () => {
    const { client } = socketClient(server.url, (await company.key()).key);
    const live = new Subscribed<{ type: string }>(client, 'events', 'subscription { events { type } }');
    await expect.poll(() => server.app.feed.size).toBe(1);
    await api.post('/contacts', { name: 'Heard' });
    await expect.poll(() => live.items.map(({ type }) => type)).toContain('contact.created');
    live.stop();
    await client.dispose();
  });
});
