import { request } from 'node:http';
import { beforeAll, expect, it } from 'vitest';
import { type Answer, Client, keyed } from './support/client.ts';
import { callRest, restProcedures } from './support/procedures.ts';
import { samples } from './support/samples.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer({ LOG_LEVEL: 'silent' });
let company: TestCompany;
let api: Client;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
});

const contacts = async (name: string) => {
  const { rows } = await server().app.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM contacts WHERE name LIKE $1',
    [name],
  );
  return rows[0]?.n;
};

/** Sends everything with one key. */
class Keyed extends Client {
  readonly #headers = keyed();

  override request(method: string, path: string, options: Parameters<Client['request']>[2] = {}) {
    return super.request(method, path, { ...options, headers: { ...options.headers, ...this.#headers } });
  }
}

it('200 calls over all mutating routes are replayed to the byte, and what is kept has no secret in it [I1, I12]', async () => {
  const sandbox = await company.client({ mode: 'test' });
  const mutations = restProcedures.filter(
    ({ operation, rest }) =>
      operation.kind === 'mutation' && rest.legacy !== 'bookings' && !operation.liveOnly,
  );
  expect(mutations.length).toBeGreaterThan(30);
  let replayed = 0;
  for (let n = 0; n < 200 || n % mutations.length !== 0; n++) {
    const facts = mutations[n % mutations.length]!;
    const input = await samples[facts.name]!(sandbox);
    const same = new Keyed(server().url, sandbox.key);
    const [first, second] = [await callRest(same, facts, input), await callRest(same, facts, input)];
    expect(first.status, `${facts.name} ${first.text}`).toBeLessThan(300);
    expect(second.status).toBe(first.status);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotency-replayed'), facts.name).toBe('true');
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    replayed++;
  }
  expect(replayed).toBeGreaterThanOrEqual(200);
  const { rows } = await server().app.pool.query<{ body: Buffer; headers: object }>(
    'SELECT body, headers FROM idempotency_records',
  );
  const kept = rows.map(({ body, headers }) => body.toString() + JSON.stringify(headers)).join('\n');
  expect(rows.length).toBeGreaterThanOrEqual(200);
  expect(kept).not.toMatch(/svc_(live|test)_|whsec_|password|"secret"/);
});

it('500 calls with a key that was used for another body, path or method are 409 and change nothing [I3]', async () => {
  const refused: Answer[] = [];
  for (let n = 0; n < 100; n++) {
    const headers = keyed();
    const { id } = (await api.post('/contacts', { name: `taken ${n}` }, headers)).body.data;
    refused.push(
      ...(await Promise.all([
        api.post('/contacts', { name: `other ${n}` }, headers),
        api.post('/tags', { name: `taken ${n}` }, headers),
        api.patch(`/contacts/${id}`, { name: `other ${n}` }, headers),
        api.delete(`/contacts/${id}`, headers),
        api.post('/contacts?x=1', { name: `taken ${n}` }, headers),
      ])),
    );
  }
  expect(refused).toHaveLength(500);
  expect(
    refused.filter(({ status, body }) => status !== 409 || body.error.code !== 'idempotency_conflict'),
  ).toEqual([]);
  expect([await contacts('taken %'), await contacts('other %')]).toEqual([100, 0]);
  expect((await api.get('/contacts', { q: 'taken', limit: 100 })).body.data).toHaveLength(100);
});

it('100 keys are used by another API key, company and mode at the same time, and never meet [I7]', async () => {
  const clients = [
    api,
    await company.client(),
    await company.client({ mode: 'test' }),
    await (await server().company()).client(),
  ];
  for (let n = 0; n < 25; n++) {
    const headers = keyed();
    const answers = await Promise.all(
      clients.map((client, at) => client.post('/contacts', { name: `apart ${at}` }, headers)),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(answers.map(({ headers: told }) => told.get('idempotency-replayed'))).toEqual([
      null,
      null,
      null,
      null,
    ]);
  }
  expect(await contacts('apart %')).toBe(75);
});

it('a 500 has kept nothing: once the fault is gone the same call with its key takes effect [I9]', async () => {
  const run = (sql: string) => server().app.pool.query(sql);
  await run(`CREATE FUNCTION break_down() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN IF NEW.name = 'broken' THEN RAISE 'out of order' USING ERRCODE = 'XX000'; END IF; RETURN NEW; END $$`);
  await run('CREATE TRIGGER break_down AFTER INSERT ON contacts FOR EACH ROW EXECUTE FUNCTION break_down()');
  const headers = keyed();
  const refused = await api.post('/contacts', { name: 'broken' }, headers);
  expect(refused.status).toBe(500);
  expect(refused.body.error.code).toBe('server_error');
  expect(await contacts('broken')).toBe(0);
  await run('DROP FUNCTION break_down() CASCADE');
  const made = await api.post('/contacts', { name: 'broken' }, headers);
  expect(made.status).toBe(201);
  expect(made.headers.get('idempotency-replayed')).toBeNull();
  expect(await contacts('broken')).toBe(1);
});

it('a body that is too large and a state that forbids it leave the key free [I9]', async () => {
  const headers = keyed();
  const raw = JSON.stringify({ name: 'x'.repeat(1_100_000) });
  const json = { ...headers, 'Content-Type': 'application/json' };
  expect((await api.request('POST', '/contacts', { raw, headers: json })).status).toBe(413);
  const made = await api.post('/contacts', { name: 'once', phone: '+351912000077' });
  expect(made.status).toBe(201);
  const taken = await api.post('/contacts', { name: 'twice', phone: '+351912000077' }, headers);
  expect(taken.status).toBe(422);
  expect((await api.post('/contacts', { name: 'twice' }, headers)).status).toBe(201);
});

it('two different keys on one call are refused [I10]', async () => {
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const call = request(
      `${server().url}/api/v1/contacts`,
      {
        method: 'POST',
        headers: { Authorization: `Bearer ${api.key}`, 'Idempotency-Key': ['one', 'two'] },
      },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    call.on('error', reject).end();
  });
  expect(status).toBe(422);
});
