import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { acrossTenants } from '../server/platform/tenancy.ts';
import { purgeIdempotencyRecords } from '../server/platform/idempotency.ts';
import { type Client, keyed } from './support/client.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let api: Client;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
});

const count = async (name: string) => {
  const { rows } = await server().app.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM contacts WHERE name = $1',
    [name],
  );
  return rows[0]?.n;
};

describe('a replay', () => {
  it('is the stored answer to the byte, with a new request id', async () => {
    const headers = keyed();
    const first = await api.post('/contacts', { name: 'replayed' }, headers);
    const second = await api.post('/contacts', { name: 'replayed' }, headers);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(second.status).toBe(201);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(await count('replayed')).toBe(1);
  });

  it('works for PATCH and DELETE, and for POST without a body', async () => {
    const { id } = (await api.post('/contacts', { name: 'to change' })).body.data;
    for (const call of [
      (headers: Record<string, string>) => api.patch(`/contacts/${id}`, { name: 'changed' }, headers),
      (headers: Record<string, string>) => api.delete(`/contacts/${id}`, headers),
      (headers: Record<string, string>) => api.post('/contacts', undefined, headers),
    ]) {
      const headers = keyed();
      const first = await call(headers);
      const second = await call(headers);
      expect(first.status).toBeLessThan(300);
      expect(second.text).toBe(first.text);
      expect(second.headers.get('idempotency-replayed')).toBe('true');
    }
  });

  it('ends after 24 hours [I8]', async () => {
    const headers = keyed();
    await api.post('/contacts', { name: 'retained' }, headers);
    server().clock.advance(24 * 3_600_000 - 60_000);
    expect(
      (await api.post('/contacts', { name: 'retained' }, headers)).headers.get('idempotency-replayed'),
    ).toBe('true');
    server().clock.advance(120_000);
    expect(
      (await api.post('/contacts', { name: 'retained' }, headers)).headers.get('idempotency-replayed'),
    ).toBeNull();
    expect(await count('retained')).toBe(2);
  });
});

describe('another request with the same key', () => {
  it('is 409 and changes nothing: other body, other path, other method', async () => {
    const headers = keyed();
    const { id } = (await api.post('/contacts', { name: 'taken' }, headers)).body.data;
    for (const answer of [
      await api.post('/contacts', { name: 'other' }, headers),
      await api.post('/tags', { name: 'taken' }, headers),
      await api.patch(`/contacts/${id}`, { name: 'taken' }, headers),
      await api.delete(`/contacts/${id}`, headers),
      await api.request('POST', '/contacts', {
        raw: '{"name": "taken"}',
        headers: { ...headers, 'Content-Type': 'application/json' },
      }),
      // The key is looked at before the body is understood and before the record is looked for.
      await api.post('/contacts', { name: 5 }, headers),
      await api.patch('/contacts/unknown', { name: 'x' }, headers),
    ]) {
      expect(answer.status).toBe(409);
      expect(answer.body.error).toMatchObject({
        code: 'idempotency_conflict',
        type: 'idempotency_error',
        param: null,
      });
    }
    expect((await api.get(`/contacts/${id}`)).body.data.name).toBe('taken');
  });

  it('is independent for another key, company and mode', async () => {
    const headers = keyed();
    const clients = [
      api,
      await company.client(),
      await company.client({ mode: 'test' }),
      await (await server().company()).client(),
    ];
    for (const client of clients) {
      const answer = await client.post('/contacts', { name: 'independent' }, headers);
      expect(answer.status).toBe(201);
      expect(answer.headers.get('idempotency-replayed')).toBeNull();
    }
    expect(await count('independent')).toBe(3);
  });
});

describe('only a success is stored', () => {
  it('a 4xx had no effect, so the client may fix its body and keep the key [I9]', async () => {
    const headers = keyed();
    expect((await api.post('/contacts', { name: 5 }, headers)).status).toBe(422);
    expect((await api.patch('/contacts/unknown', {}, headers)).status).toBe(404);
    expect(
      (
        await api.request('POST', '/contacts', {
          raw: '{',
          headers: { ...headers, 'Content-Type': 'application/json' },
        })
      ).status,
    ).toBe(400);
    const viewer = await company.client({ scopes: ['contacts.view'] });
    expect((await viewer.post('/contacts', { name: 'fixed' }, headers)).status).toBe(403);
    expect((await api.post('/contacts', { name: 'fixed' }, headers)).status).toBe(201);
    expect(await count('fixed')).toBe(1);
  });
});

describe('the key', () => {
  it.each(['', ' ', 'x'.repeat(256), 'tab\there', 'é'])('%j [I10]', async (key) => {
    const answer = await api.post('/contacts', { name: 'bad key' }, { 'Idempotency-Key': key });
    expect(answer.status).toBe(422);
    expect(answer.body.error.param).toBe('Idempotency-Key');
    expect(await count('bad key')).toBe(0);
  });

  it('may have 255 characters of printable ASCII [I10]', async () => {
    expect((await api.post('/contacts', {}, keyed('~'.repeat(255)))).status).toBe(201);
  });

  it('is ignored on GET', async () => {
    expect(
      (await api.request('GET', '/me', { headers: { 'Idempotency-Key': 'x'.repeat(300) } })).status,
    ).toBe(200);
  });
});

describe('under concurrency', () => {
  it('1,000 pairs at once have 1,000 effects [I2]', async () => {
    const name = `pair ${randomUUID()}`;
    const pair = async () => {
      const headers = keyed();
      const [first, second] = await Promise.all([
        api.post('/contacts', { name }, headers),
        wait(Math.random() * 20).then(() => api.post('/contacts', { name }, headers)),
      ]);
      const statuses = [first.status, second.status].sort((a, b) => a - b);
      expect(['201,201', '201,409']).toContain(statuses.join());
      if (statuses[1] === 201) expect(first.text).toBe(second.text);
      for (const { status, body, headers: got } of [first, second]) {
        if (status !== 409) continue;
        expect(body.error.code).toBe('idempotency_conflict');
        expect(Number(got.get('retry-after'))).toBeGreaterThanOrEqual(1);
      }
    };
    for (let round = 0; round < 50; round++) await Promise.all(Array.from({ length: 20 }, pair));
    expect(await count(name)).toBe(1_000);
    const { rows } = await server().app.pool.query(
      "SELECT count(*)::int AS n FROM events WHERE type = 'contact.created' AND payload->'data'->'object'->>'name' = $1",
      [name],
    );
    expect(rows[0]).toEqual({ n: 1_000 });
  }, 180_000);
});

describe('the purge', () => {
  it('deletes what is past its retention, and only that [I8]', async () => {
    await api.post('/contacts', {}, keyed('before the purge'));
    server().clock.advance(25 * 3_600_000);
    await api.post('/contacts', {}, keyed('after the purge'));
    await acrossTenants(() => purgeIdempotencyRecords(server().app.prisma, server().clock.now()));
    const { rows } = await server().app.pool.query<{ key: string }>('SELECT key FROM idempotency_records');
    expect(rows.map(({ key }) => key)).toEqual(['after the purge']);
  });
});
