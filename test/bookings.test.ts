import { beforeAll, describe, expect, it } from 'vitest';
import { BookingsErrorBody } from '../schema/common.ts';
import { Booking, bookingStatuses, type BookingStatus } from '../schema/bookings.ts';
import type { Answer, Client } from './support/client.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addAgent, addContact, eventsOf, insertConversation, nobody } from './support/shop.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let slot = 0;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
});

const hour = 3_600_000;
const iso = (time: number) => new Date(time).toISOString();

/** A free hour: each call gives a later one, starting tomorrow. */
function freeHour(): { starts_at: string; ends_at: string } {
  const start = Math.ceil(server().clock.now().getTime() / hour) * hour + (24 + slot++) * hour;
  return { starts_at: iso(start), ends_at: iso(start + hour) };
}

async function book(fields: object = {}, client = api): Promise<Booking> {
  const answer = await client.post('/bookings', { title: 'Fitting', ...freeHour(), ...fields });
  expect(answer.status, answer.text).toBe(201);
  expect(Object.keys(answer.body)).toEqual(['data']);
  return Booking.parse(answer.body.data);
}

function refused(answer: Answer, param: string, code: string) {
  expect(answer.status, answer.text).toBe(422);
  const { error, errors, message } = BookingsErrorBody.parse(answer.body);
  expect(error.details?.[0]).toMatchObject({ param, code });
  expect(errors[param]).toContain(message);
}

describe('a booking', () => {
  it('is created with defaults: confirmed, with the agent of the key, in the zone of the company', async () => {
    const times = freeHour();
    const booking = await book(times);
    expect(booking).toMatchObject({
      title: 'Fitting',
      status: 'confirmed',
      ...times,
      duration_minutes: 60,
      timezone: 'UTC',
      agent_email: company.owner.email,
      agent: { email: company.owner.email },
      contact: null,
      conversation: null,
      attendee: null,
      location: null,
      notes: null,
      cancel_reason: null,
      rescheduled_from: null,
      created_by: { email: company.owner.email },
    });
    expect((await api.get(`/bookings/${booking.id}`)).body).toEqual({ data: booking });
  });

  it('is created with every field', async () => {
    const contact = await addContact(api, { phone: '+351912345678', email: 'ana@example.com' });
    const { conversation } = await insertConversation(server().app, company.id, contact);
    const agent = await addAgent(server().app, company.id, 'Nuno@example.com');
    const { starts_at } = freeHour();
    const booking = await book({
      starts_at,
      ends_at: undefined,
      duration_minutes: 45,
      agent_email: 'nuno@EXAMPLE.com',
      contact,
      conversation,
      attendee: { name: 'Rui', email: 'rui@example.com', phone: '912', shoe: 42 },
      location: 'Room 2',
      notes: 'Bring shoes.',
      timezone: 'Europe/Lisbon',
      status: 'pending',
      created_by: 'me',
    });
    expect(booking).toMatchObject({
      starts_at,
      ends_at: iso(Date.parse(starts_at) + 45 * 60_000),
      duration_minutes: 45,
      agent: agent,
      agent_email: agent.email,
      contact: { id: contact, name: 'Ana Sousa', phone: '+351912345678', email: 'ana@example.com' },
      conversation,
      attendee: { name: 'Rui', email: 'rui@example.com', phone: '912' },
      location: 'Room 2',
      notes: 'Bring shoes.',
      timezone: 'Europe/Lisbon',
      status: 'pending',
    });
  });

  const at = '2031-03-02T10:00:00Z';
  it.each([
    [{ title: undefined }, 'title', 'required'],
    [{ title: '' }, 'title', 'required'],
    [{ title: 'x'.repeat(192) }, 'title', 'max'],
    [{ starts_at: undefined }, 'starts_at', 'required'],
    [{ starts_at: '2031-03-02' }, 'starts_at', 'format'],
    [{ starts_at: '2031-03-02T10:00:00' }, 'starts_at', 'format'],
    [{ starts_at: '2031-02-30T10:00:00Z' }, 'starts_at', 'format'],
    [{ starts_at: 1 }, 'starts_at', 'type'],
    [{ ends_at: undefined }, 'ends_at', 'required'],
    [{ ends_at: at }, 'ends_at', 'min'],
    [{ ends_at: '2031-03-02T09:59:59Z' }, 'ends_at', 'min'],
    [{ ends_at: '2031-03-03T10:00:01Z' }, 'ends_at', 'max'],
    [{ ends_at: undefined, duration_minutes: 4 }, 'duration_minutes', 'min'],
    [{ ends_at: undefined, duration_minutes: 1441 }, 'duration_minutes', 'max'],
    [{ ends_at: undefined, duration_minutes: '60' }, 'duration_minutes', 'type'],
    [{ duration_minutes: 30 }, 'duration_minutes', 'not_allowed'],
    [{ agent_email: 'nobody' }, 'agent_email', 'format'],
    [{ agent_email: 'nobody@example.com' }, 'agent_email', 'unknown_id'],
    [{ contact: nobody }, 'contact', 'unknown_id'],
    [{ contact: 'x'.repeat(27) }, 'contact', 'max'],
    [{ conversation: nobody }, 'conversation', 'unknown_id'],
    [{ attendee: { name: 'x'.repeat(192) } }, 'attendee.name', 'max'],
    [{ attendee: { email: 'x' } }, 'attendee.email', 'format'],
    [{ attendee: { phone: 'x'.repeat(33) } }, 'attendee.phone', 'max'],
    [{ location: 'x'.repeat(192) }, 'location', 'max'],
    [{ notes: 'x'.repeat(2001) }, 'notes', 'max'],
    [{ timezone: 'Mars/Base' }, 'timezone', 'format'],
    [{ timezone: '+02:00' }, 'timezone', 'format'],
    [{ status: 'completed' }, 'status', 'enum'],
    [{ cancel_reason: 'rain' }, 'cancel_reason', 'not_allowed'],
    [{ cancel_reason: 'x'.repeat(501) }, 'cancel_reason', 'max'],
  ])('is refused, case %#', async (fields, param, code) => {
    const body = { title: 'Fitting', starts_at: at, ends_at: '2031-03-02T11:00:00Z', ...fields };
    refused(await api.post('/bookings', body), param, code);
  });

  it('of a deactivated agent is refused', async () => {
    const agent = await addAgent(server().app, company.id, 'gone@example.com');
    await server().app.pool.query('UPDATE users SET deactivated_at = now() WHERE email = $1', [agent.email]);
    refused(
      await api.post('/bookings', { title: 'a', ...freeHour(), agent_email: agent.email }),
      'agent_email',
      'unknown_id',
    );
  });
});

describe('slots of one agent', () => {
  const taken = (answer: Answer) => {
    expect(answer.status, answer.text).toBe(409);
    expect(BookingsErrorBody.parse(answer.body).error.code).toBe('conflict');
  };
  const shifted = ({ starts_at, ends_at }: { starts_at: string; ends_at: string }, minutes: number) => ({
    starts_at: iso(Date.parse(starts_at) + minutes * 60_000),
    ends_at: iso(Date.parse(ends_at) + minutes * 60_000),
  });

  it('touch but do not overlap; a pending booking keeps its slot too; another agent has slots of his own', async () => {
    const times = freeHour();
    slot++;
    await book({ ...times, status: 'pending' });
    for (const minutes of [0, 1, 59, -59, -1])
      taken(await api.post('/bookings', { title: 'a', ...shifted(times, minutes) }));
    await book(shifted(times, 60));
    const agent = await addAgent(server().app, company.id, 'other@example.com');
    await book({ ...times, agent_email: agent.email });
  });

  it('are free again after cancelling, closing and deleting', async () => {
    const times = freeHour();
    const first = await book(times);
    await api.patch(`/bookings/${first.id}`, { status: 'cancelled' });
    const second = await book(times);
    expect((await api.delete(`/bookings/${second.id}`)).status).toBe(204);
    await book(times);
  });

  it('are kept by updates: moved onto a taken slot is 409 and changes nothing', async () => {
    const [one, two] = [await book(), await book()];
    const { starts_at, ends_at } = two;
    taken(await api.patch(`/bookings/${one.id}`, { starts_at, ends_at, title: 'Moved' }));
    expect((await api.get(`/bookings/${one.id}`)).body.data).toEqual(one);
    const agent = await addAgent(server().app, company.id, 'third@example.com');
    const theirs = await book({ starts_at, ends_at, agent_email: agent.email });
    taken(await api.patch(`/bookings/${theirs.id}`, { agent_email: company.owner.email }));
    // Onto itself is no conflict.
    const half = { starts_at: iso(Date.parse(starts_at) + hour / 2), duration_minutes: 30 };
    expect((await api.patch(`/bookings/${two.id}`, half)).status).toBe(200);
  });

  it('stay one of many updates and creates at once', async () => {
    const times = freeHour();
    const others: Booking[] = [];
    for (let n = 0; n < 10; n++) others.push(await book());
    const answers = await Promise.all([
      ...others.map(({ id }) => api.patch(`/bookings/${id}`, times)),
      ...others.map(() => api.post('/bookings', { title: 'a', ...times })),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status !== 409)).toHaveLength(1);
    expect(statuses.every((status) => [200, 201, 409].includes(status))).toBe(true);
  });
});

/** The table of the document: from, to, and when. */
const allowed: Record<
  BookingStatus,
  Partial<Record<BookingStatus, 'before end' | 'from start' | '7 days' | 'always'>>
> = {
  pending: { confirmed: 'always', cancelled: 'before end' },
  confirmed: { cancelled: 'before end', completed: 'from start', no_show: 'from start' },
  completed: { no_show: '7 days' },
  no_show: { completed: '7 days' },
  cancelled: {},
};
const moments = {
  'before the start': -1,
  'during it': 0.5,
  'after its end': 2,
  'eight days later': 8 * 24,
} as const;
type Moment = keyof typeof moments;

function may(from: BookingStatus, to: BookingStatus, when: Moment): boolean {
  switch (allowed[from][to]) {
    case 'before end':
      return moments[when] < 1;
    case 'from start':
      return moments[when] >= 0;
    case '7 days':
      return moments[when] < 7 * 24;
    case 'always':
      return true;
    default:
      return from === to;
  }
}

describe('every pair of statuses at every time', () => {
  const cases = bookingStatuses.flatMap((from) =>
    bookingStatuses.flatMap((to) =>
      (Object.keys(moments) as Moment[]).map((when) => [from, to, when] as const),
    ),
  );

  it.each(cases)('%s → %s %s', async (from, to, when) => {
    const other = await addAgent(server().app, company.id, `agent-${slot++}@example.com`);
    const now = server().clock.now().getTime();
    // Closed during the booking: the correction runs from then.
    const start = now - moments[when] * hour;
    const id = (
      await book({
        starts_at: iso(start),
        ends_at: iso(start + hour),
        agent_email: other.email,
        status: 'pending',
      })
    ).id;
    await server().app.pool.query(
      `UPDATE bookings SET status = $2, closed_at = CASE WHEN $2 IN ('completed', 'no_show') THEN $3::timestamptz END WHERE id = $1`,
      [id, from, iso(start + hour / 2)],
    );
    const answer = await api.patch(`/bookings/${id}`, { status: to });
    expect(answer.status, answer.text).toBe(may(from, to, when) ? 200 : 409);
    expect((await api.get(`/bookings/${id}`)).body.data.status).toBe(answer.status === 200 ? to : from);
  });
});

describe('an update', () => {
  it('changes what it names, clears with null, keeps the rest', async () => {
    const contact = await addContact(api);
    const booking = await book({ contact, notes: 'old', attendee: { name: 'Rui' }, location: 'here' });
    const { body } = await api.patch(`/bookings/${booking.id}`, {
      title: 'New',
      contact: null,
      attendee: null,
      location: null,
      notes: 'new',
      timezone: 'Asia/Tokyo',
    });
    expect(Booking.parse(body.data)).toEqual({
      ...booking,
      title: 'New',
      contact: null,
      attendee: null,
      location: null,
      notes: 'new',
      timezone: 'Asia/Tokyo',
      updated_at: body.data.updated_at,
    });
    expect((await api.patch(`/bookings/${booking.id}`, {})).body).toEqual(body);
  });

  it('moves: a start alone takes the end with it, and the times before are kept', async () => {
    const booking = await book();
    const start = Date.parse(freeHour().starts_at);
    const moved = (await api.patch(`/bookings/${booking.id}`, { starts_at: iso(start) })).body.data;
    expect(moved).toMatchObject({
      starts_at: iso(start),
      ends_at: iso(start + hour),
      rescheduled_from: { starts_at: booking.starts_at, ends_at: booking.ends_at },
    });
    const longer = (await api.patch(`/bookings/${booking.id}`, { duration_minutes: 30 })).body.data;
    expect(longer).toMatchObject({
      starts_at: iso(start),
      ends_at: iso(start + hour / 2),
      rescheduled_from: { starts_at: moved.starts_at, ends_at: moved.ends_at },
    });
    const same = await api.patch(`/bookings/${booking.id}`, {
      starts_at: iso(start),
      ends_at: longer.ends_at,
    });
    expect(same.body.data).toEqual(longer);
    refused(await api.patch(`/bookings/${booking.id}`, { ends_at: iso(start) }), 'ends_at', 'min');
    refused(
      await api.patch(`/bookings/${booking.id}`, { starts_at: iso(start + hour), ends_at: iso(start) }),
      'ends_at',
      'min',
    );
  });

  it('of the times is 409 once it is over or cancelled', async () => {
    const booking = await book();
    await api.patch(`/bookings/${booking.id}`, { status: 'cancelled', cancel_reason: 'Rain.' });
    expect((await api.patch(`/bookings/${booking.id}`, freeHour())).status).toBe(409);
    expect((await api.patch(`/bookings/${booking.id}`, { notes: 'sorry' })).body.data).toMatchObject({
      status: 'cancelled',
      cancel_reason: 'Rain.',
      notes: 'sorry',
    });
    refused(
      await api.patch(`/bookings/${(await book()).id}`, { cancel_reason: 'Rain.' }),
      'cancel_reason',
      'not_allowed',
    );
  });

  it.each(['unknown', nobody])('of %s is 404, whatever the body', async (id) => {
    for (const answer of [
      await api.get(`/bookings/${id}`),
      await api.patch(`/bookings/${id}`, { title: 7 }),
      await api.delete(`/bookings/${id}`),
    ]) {
      expect(answer.status).toBe(404);
      expect(BookingsErrorBody.parse(answer.body)).toMatchObject({
        errors: {},
        error: { code: 'not_found' },
      });
    }
  });
});

describe('the legacy frame', () => {
  it('deletes with 204 and no body; the booking is gone', async () => {
    const { id } = await book();
    const answer = await api.delete(`/bookings/${id}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await api.get(`/bookings/${id}`)).status).toBe(404);
    expect((await api.delete(`/bookings/${id}`)).status).toBe(404);
  });

  it('ignores Idempotency-Key', async () => {
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
    refused(await shop.get('/bookings', query), param, code);
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

describe('events', () => {
  it('tell of creation, change, move, each status and deletion', async () => {
    const other = await server().company();
    const client = await other.client();
    const start = server().clock.now().getTime() - hour / 2;
    const now = { starts_at: iso(start), ends_at: iso(start + hour) };
    const one = await book({ ...now, status: 'pending' }, client);
    const patch = (id: string, fields: object) => client.patch(`/bookings/${id}`, fields);
    await patch(one.id, { title: 'New' });
    await patch(one.id, { title: 'New' });
    await patch(one.id, { ends_at: iso(start + 2 * hour) });
    await patch(one.id, { status: 'confirmed' });
    await patch(one.id, { status: 'completed' });
    await patch(one.id, { status: 'no_show' });
    await client.delete(`/bookings/${one.id}`);
    const two = await book({}, client);
    await patch(two.id, { status: 'cancelled' });
    const three = await book({}, client);
    await client.delete(`/bookings/${three.id}`);
    const events = await eventsOf(server().app, other.id, 'booking');
    expect(
      events.map(({ type }) => type.replace('booking.', '')).filter((verb) => verb !== 'updated'),
    ).toEqual([
      'created',
      'rescheduled',
      'confirmed',
      'completed',
      'no_show',
      'created',
      'cancelled',
      'created',
      'cancelled',
    ]);
    expect(events.filter(({ type }) => type === 'booking.updated')).toHaveLength(6);
    expect(events.at(-1)!.data).toEqual({
      object: { id: three.id, deleted: true },
      previous: { status: 'confirmed' },
    });
    for (const { data } of events.slice(0, -1)) Booking.parse(data.object);
  });
});
