import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, keyed } from './support/client.ts';
import { createTestDatabase } from './support/postgres.ts';
import { startServer, type TestServer } from './support/server.ts';
import { type Line, openLine } from './support/tcp-proxy.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let line: Line;
let server: TestServer;
let api: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  line = await openLine(database.url);
  server = await startServer({ LOG_LEVEL: 'silent' }, line.url);
  api = await (await server.company()).client();
});

afterAll(async () => {
  line.silent = false;
  await server.close();
  await line.close();
  await database.drop();
});

const probe = async (name: string) => (await fetch(`${server.url}/${name}`)).status;

it('a database that hangs: every call is answered with 500 and Retry-After, and all is well when it is back [D4, D10]', async () => {
  const headers = keyed();
  expect(await probe('livez')).toBe(200);
  await expect.poll(() => probe('readyz')).toBe(200);
  line.silent = true;
  // Four calls for each connection: some run, some wait, one opens a connection.
  const answers = await Promise.all([
    ...Array.from({ length: 32 }, (_, n) => api.post('/contacts', { name: `hung ${n}` })),
    api.post('/contacts', { name: 'kept' }, headers),
    api.get('/contacts'),
  ]);
  for (const { status, body, headers: told } of answers) {
    expect(status).toBe(500);
    expect(body.error.code).toBe('server_error');
    expect(told.get('retry-after')).toBe('1');
    expect(told.get('x-request-id')).toBe(body.error.request_id);
  }
  // From then on nobody waits, on any transport.
  expect((await api.get('/contacts')).status).toBe(500);
  expect((await api.graphql('{ contacts { items { id } } }')).status).toBe(500);
  expect((await api.get('/bookings')).body.errors).toEqual({});
  expect(await (await fetch(`${server.url}/metrics`)).text()).toContain('\nparlour_database_hangs 1\n');
  expect([await probe('livez'), await probe('readyz')]).toEqual([200, 503]);
  // A balancer that goes on asking opens nothing that hangs as well.
  const { opened } = line;
  const probes = Array.from({ length: 20 }, () => probe('readyz'));
  expect(new Set(await Promise.all(probes))).toEqual(new Set([503]));
  expect(line.opened).toBeLessThan(opened + 10);
  line.silent = false;
  await expect.poll(async () => (await api.post('/contacts', { name: 'kept' }, headers)).status).toBe(201);
  await expect.poll(() => probe('readyz')).toBe(200);
  expect((await api.get('/contacts', { q: 'kept' })).body.data).toHaveLength(1);
});

/** Names of the checks that do not hold. */
async function wanting(): Promise<string[]> {
  const { checks } = (await (await fetch(`${server.url}/readyz`)).json()) as {
    checks: { name: string; ok: boolean }[];
  };
  return checks.filter(({ ok }) => !ok).map(({ name }) => name);
}

it('a process that is stopping is alive and not ready [D10]', async () => {
  server.app.ready = false;
  expect([await probe('livez'), await probe('readyz')]).toEqual([200, 503]);
  await expect.poll(wanting).toEqual(['process']);
  server.app.ready = true;
});

it('a process whose database waits for a migration is alive and not ready [D10]', async () => {
  const { rows } = await server.app.pool.query<{ id: string }>(
    'DELETE FROM _prisma_migrations WHERE id = (SELECT max(id) FROM _prisma_migrations) RETURNING *',
  );
  expect(rows).toHaveLength(1);
  expect([await probe('livez'), await probe('readyz')]).toEqual([200, 503]);
  await expect.poll(wanting).toEqual(['migrations']);
});
