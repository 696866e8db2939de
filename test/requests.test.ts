import { beforeAll, describe, expect, it } from 'vitest';
import { type RequestEntry, RequestPage } from '../schema/requests.ts';
import { purgeRequests } from '../server/requests/retention.ts';
import { type Client, keyed } from './support/client.ts';
import { ownerPage, type Page } from './support/page.ts';
import { startServer, type TestCompany, useServer } from './support/server.ts';

const server = useServer({ SIGN_IN_ATTEMPTS: '100000' });
let company: TestCompany;
let owner: Page;
let api: Client;

beforeAll(async () => {
  company = await server().company();
  api = await company.client({ name: 'Zapier' });
  owner = await ownerPage(server().url, company);
});

const list = async (input: object = {}): Promise<RequestEntry[]> => {
  const answer = await owner.query('requests.list', { limit: 100, ...input });
  expect(answer.status, answer.text).toBe(200);
  return RequestPage.parse(answer.body.result.data).data;
};

/** The entry of a request, once it is written. */
const entry = async (request: string | null): Promise<RequestEntry> => {
  await expect.poll(async () => (await list({ request })).length).toBe(1);
  return (await list({ request }))[0]!;
};

describe('the request log', () => {
  it('has a request of each surface, with its pattern and without what was sent', async () => {
    const made = await api.post('/contacts', { name: 'Ana' }, { 'User-Agent': 'zap/1.0' });
    const { id } = made.body.data;
    const request = made.headers.get('x-request-id');
    expect(await entry(request)).toEqual({
      id: request,
      at: expect.any(String),
      caller: { type: 'api_key', id: expect.any(String), name: 'Zapier' },
      surface: 'rest',
      method: 'POST',
      path: '/api/v1/contacts',
      operation: 'contacts.create',
      status: 201,
      code: null,
      param: null,
      duration_ms: expect.any(Number),
      livemode: true,
      replayed: false,
      idempotency_key: null,
      ip: expect.stringMatching(/127\.0\.0\.1/),
      user_agent: 'zap/1.0',
    });
    const shown = await api.get(`/contacts/${id}`, { secret: 'in the query' });
    const read = await entry(shown.headers.get('x-request-id'));
    expect(read).toMatchObject({ path: '/api/v1/contacts/{contact}', operation: 'contacts.show' });
    expect(JSON.stringify(read)).not.toMatch(/secret|query|Ana/);
    const asked = await api.graphql('query Names { contacts { items { name } } }');
    expect(await entry(asked.headers.get('x-request-id'))).toMatchObject({
      surface: 'graphql',
      path: '/graphql',
      operation: 'query Names',
      status: 200,
    });
    const called = await api.trpc('query', 'contacts.list', {});
    expect(await entry(called.headers.get('x-request-id'))).toMatchObject({
      surface: 'trpc',
      path: '/trpc',
      operation: 'contacts.list',
    });
  });

  it('tells why a request was refused, on every surface', async () => {
    const answers = [
      [await api.post('/contacts', { email: 'no' }), 422, 'validation_failed', 'email'],
      [await api.get('/contacts/unknown'), 404, 'not_found', null],
      [await api.get('/nowhere'), 404, 'not_found', null],
      [await (await company.client({ scopes: ['tags.manage'] })).get('/orders'), 403, 'forbidden', null],
      [await api.trpc('query', 'contacts.show', { contact: 'unknown' }), 404, 'not_found', null],
      [await api.graphql('{ contact(contact: "unknown") { id } }'), 200, 'not_found', null],
      [await api.graphql('{ nothing }'), 200, 'bad_request', null],
    ] as const;
    for (const [{ headers }, status, code, param] of answers)
      expect(await entry(headers.get('x-request-id'))).toMatchObject({ status, code, param });
  });

  it('marks replays and test keys', async () => {
    const key = keyed();
    await api.post('/tags', { name: 'once' }, key);
    const again = await api.post('/tags', { name: 'once' }, key);
    expect(await entry(again.headers.get('x-request-id'))).toMatchObject({
      replayed: true,
      idempotency_key: key['Idempotency-Key'],
    });
    const sandbox = await company.client({ mode: 'test', name: 'Sandbox' });
    const rehearsed = await sandbox.post('/tags', { name: 'rehearsed' });
    expect(await entry(rehearsed.headers.get('x-request-id'))).toMatchObject({
      livemode: false,
      caller: { name: 'Sandbox' },
    });
  });

  it('has of the dashboard what failed, and nothing else', async () => {
    const refused = await owner.mutate('tags.create', { name: '' });
    const id = refused.body.error.data.error.request_id;
    expect(await entry(id)).toMatchObject({
      caller: { type: 'agent', name: expect.any(String) },
      surface: 'trpc',
      operation: 'tags.create',
      status: 422,
      code: 'validation_failed',
      param: 'name',
    });
    const agents = (await list()).filter(({ caller }) => caller.type === 'agent');
    expect(agents.every(({ code }) => code !== null)).toBe(true);
  });

  it('is filtered, and read by cursor', async () => {
    const other = await server().company();
    const page = await ownerPage(server().url, other);
    const { id } = await other.key();
    const program = await other.client({ name: 'Filters' });
    for (let n = 0; n < 3; n++) await program.get('/tags');
    await program.post('/tags', { name: '' });
    const last = await program.get('/contacts/unknown');
    const found = async (input: object) => {
      const answer = await page.query('requests.list', input);
      return RequestPage.parse(answer.body.result.data);
    };
    await expect.poll(async () => (await found({})).data.length).toBe(5);
    const count = async (input: object) => (await found(input)).data.length;
    expect(await count({ failed: true })).toBe(2);
    expect(await count({ failed: false })).toBe(3);
    expect(await count({ status: '4xx' })).toBe(2);
    expect(await count({ status: '5xx' })).toBe(0);
    expect(await count({ method: 'POST' })).toBe(1);
    expect(await count({ path: 'Contacts/' })).toBe(1);
    expect(await count({ path: 'tags.create' })).toBe(1);
    expect(await count({ code: 'not_found' })).toBe(1);
    expect(await count({ surface: 'graphql' })).toBe(0);
    expect(await count({ livemode: false })).toBe(0);
    expect(await count({ key: id })).toBe(0);
    expect(await count({ request: last.headers.get('x-request-id') })).toBe(1);
    expect(await count({ from: '2020-01-01', to: '2020-02-01' })).toBe(0);
    const first = await found({ limit: 3 });
    const rest = await found({ limit: 3, cursor: first.meta.next_cursor });
    const ids = [...first.data, ...rest.data].map(({ id: one }) => one);
    expect(new Set(ids).size).toBe(5);
    // Another company sees none of it.
    expect(await list({ request: ids[0] })).toEqual([]);
  });

  it('is for admins in the dashboard alone', async () => {
    expect((await api.trpc('query', 'requests.list', {})).status).toBe(403);
    expect((await owner.query('requests.list', { status: '6xx' })).status).toBe(422);
    owner.mode = 'test';
    expect((await owner.query('requests.list')).status).toBe(403);
    owner.mode = 'live';
  });

  it('is written before the process ends, and answers do not wait for its table', async () => {
    const mine = await startServer({}, server().databaseUrl);
    const client = await (await mine.company('Brief')).client();
    await mine.app.pool.query('ALTER TABLE request_logs RENAME TO request_logs_away');
    try {
      expect((await client.get('/tags')).status).toBe(200);
    } finally {
      await mine.app.pool.query('ALTER TABLE request_logs_away RENAME TO request_logs');
    }
    const answer = await client.get('/tags');
    await mine.close();
    const { rows } = await server().app.pool.query('SELECT FROM request_logs WHERE id = $1', [
      answer.headers.get('x-request-id'),
    ]);
    expect(rows).toHaveLength(1);
  });

  it('keeps 30 days, and the newest of each company', async () => {
    const { pool } = server().app;
    const other = await server().company();
    await pool.query(
      `INSERT INTO request_logs (company_id, id, method, path, status, duration_ms, livemode, created_at)
       SELECT $1, 'r' || n, 'GET', '/', 200, 1, true, $2::timestamptz - n * interval '1 day' + interval '1 hour'
       FROM generate_series(1, 40) AS n`,
      [other.id, server().clock.now()],
    );
    const left = async () => {
      const { rows } = await pool.query('SELECT id FROM request_logs WHERE company_id = $1', [other.id]);
      return rows.length;
    };
    await purgeRequests(pool, server().clock.now());
    expect(await left()).toBe(30);
    await purgeRequests(pool, server().clock.now(), 7);
    expect(await left()).toBe(7);
  });
});
