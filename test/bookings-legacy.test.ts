import { beforeAll, describe, expect, it } from 'vitest';
import { Booking } from '../schema/bookings.ts';
import { BookingsErrorBody } from '../schema/common.ts';
import type { Client } from './support/client.ts';
import { book, freeHour, refusedBooking } from './support/bookings.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { nobody } from './support/shop.ts';

const server = useServer();
let company: TestCompany;
let api: Client;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
});

describe('the legacy frame', () => {
  it('deletes with 204 and no body; the booking is gone', async () => {
    const { id } = await book(api);
    const answer = await api.delete(`/bookings/${id}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await api.get(`/bookings/${id}`)).status).toBe(404);
    expect((await api.delete(`/bookings/${id}`)).status).toBe(404);
  });

  it('ignores Idempotency-Key [I11]', async () => {
    const body = { title: 'a', ...freeHour() };
    const key = { 'Idempotency-Key': 'the same' };
    expect((await api.post('/bookings', body, key)).status).toBe(201);
    const again = await api.post('/bookings', body, key);
    expect(again.status).toBe(409);
    expect(again.headers.get('idempotency-replayed')).toBeNull();
    expect(
      (await api.post('/bookings', { title: 'a', ...freeHour() }, { 'Idempotency-Key': '' })).status,
    ).toBe(201);
  });

  it('has no test mode: 403', async () => {
    const sandbox = await company.client({ mode: 'test' });
    for (const path of ['/bookings', `/bookings/${nobody}`, '/availability']) {
      const answer = await sandbox.get(path);
      expect(answer.status).toBe(403);
      expect(BookingsErrorBody.parse(answer.body).error.code).toBe('forbidden');
    }
  });

  it('authorises by scope and by legacy ability; write alone does not read', async () => {
    const statuses = async (scopes: Parameters<TestCompany['client']>[0]) => {
      const client = await company.client(scopes);
      const query = { agent_email: company.owner.email, from: '2026-03-01', to: '2026-03-02' };
      return [
        (await client.get('/bookings')).status,
        (await client.get('/availability', query)).status,
        (await client.post('/bookings', { title: 'a', ...freeHour() })).status,
      ];
    };
    expect(await statuses({ scopes: ['calendar.view'] })).toEqual([200, 200, 403]);
    expect(await statuses({ scopes: ['calendar.manage'] })).toEqual([200, 200, 201]);
    expect(await statuses({ scopes: ['bookings.read'] })).toEqual([200, 200, 403]);
    expect(await statuses({ scopes: ['bookings.write'] })).toEqual([403, 403, 201]);
    expect(await statuses({ scopes: ['contacts.view'] })).toEqual([403, 403, 403]);
  });

  it('answers 401 with both shapes', async () => {
    const answer = await fetch(`${server().url}/api/v1/bookings/${nobody}`, {
      headers: { Authorization: 'Bearer x' },
    });
    expect(answer.status).toBe(401);
    expect(BookingsErrorBody.parse(await answer.json()).error.code).toBe('unauthenticated');
  });
});

describe('the list', () => {
  let shop: Client;
  let other: TestCompany;

  beforeAll(async () => {
    other = await server().company();
    shop = await other.client();
    const statuses = ['pending', 'confirmed', 'confirmed', 'pending'];
    for (const [n, status] of statuses.entries()) {
      const starts_at = `2031-03-0${4 - n}T10:00:00Z`;
      await shop.post('/bookings', { title: `day ${4 - n}`, starts_at, duration_minutes: 60, status });
    }
  });

  const titles = async (query: Record<string, string> = {}) => {
    const answer = await shop.get('/bookings', query);
    expect(answer.status, answer.text).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['data']);
    expect(answer.headers.get('x-truncated')).toBeNull();
    return answer.body.data.map((booking: Booking) => Booking.parse(booking).title);
  };

  it('is earliest first', async () => {
    expect(await titles()).toEqual(['day 1', 'day 2', 'day 3', 'day 4']);
  });

  it.each([
    [{ from: '2031-03-02T10:59:59Z' }, ['day 2', 'day 3', 'day 4']],
    [{ from: '2031-03-02T11:00:00Z' }, ['day 3', 'day 4']],
    [{ to: '2031-03-02T10:00:00Z' }, ['day 1']],
    [{ to: '2031-03-02T11:00:01+01:00' }, ['day 1', 'day 2']],
    [{ from: '2031-03-02', to: '2031-03-04' }, ['day 2', 'day 3']],
    [{ status: 'pending' }, ['day 1', 'day 4']],
    [{ status: 'pending,confirmed', to: '2031-03-03' }, ['day 1', 'day 2']],
    [{ status: 'cancelled' }, []],
  ] as [Record<string, string>, string[]][])('filters by %j', async (query, expected) => {
    expect(await titles(query)).toEqual(expected);
  });

  it.each([
    [{ from: 'monday' }, 'from', 'format'],
    [{ to: '2031-02-30' }, 'to', 'format'],
    [{ status: 'open' }, 'status', 'enum'],
    [{ status: 'pending,' }, 'status', 'enum'],
    [{ status: '' }, 'status', 'enum'],
  ] as [Record<string, string>, string, string][])('refuses %j', async (query, param, code) => {
    refusedBooking(await shop.get('/bookings', query), param, code);
  });

  it('ends at 500 and says so in headers', async () => {
    await server().app.pool.query(
      `INSERT INTO bookings (company_id, id, title, starts_at, ends_at, timezone, agent_id)
       SELECT $1, '01JQZ7K3M9V5T2XH8C4B' || lpad(n::text, 6, '0'), 'many', t, t + interval '1 hour', 'UTC', $2
       FROM generate_series(1, 497) n, LATERAL (SELECT timestamptz '2032-01-01' + n * interval '1 hour' AS t) AS at`,
      [other.id, other.owner.id],
    );
    const answer = await shop.get('/bookings');
    expect(answer.body.data).toHaveLength(500);
    expect(answer.headers.get('x-total-count')).toBe('501');
    expect(answer.headers.get('x-truncated')).toBe('true');
    const whole = await shop.get('/bookings', { from: '2031-03-02' });
    expect(whole.body.data).toHaveLength(500);
    expect(whole.headers.get('x-total-count')).toBeNull();
  });
});
