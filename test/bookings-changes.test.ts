import { beforeAll, describe, expect, it } from 'vitest';
import { Booking, bookingStatuses, type BookingStatus } from '../schema/bookings.ts';
import { BookingsErrorBody } from '../schema/common.ts';
import type { Client } from './support/client.ts';
import { book, freeHour, hour, iso, refusedBooking } from './support/bookings.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addAgent, addContact, eventsOf, nobody } from './support/shop.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let agents = 0;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
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
    const other = await addAgent(server().app, company.id, `agent-${agents++}@example.com`);
    const now = server().clock.now().getTime();
    // Closed during the booking: the correction runs from then.
    const start = now - moments[when] * hour;
    const id = (
      await book(api, {
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
    const booking = await book(api, { contact, notes: 'old', attendee: { name: 'Rui' }, location: 'here' });
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
    const booking = await book(api);
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
    refusedBooking(await api.patch(`/bookings/${booking.id}`, { ends_at: iso(start) }), 'ends_at', 'min');
    refusedBooking(
      await api.patch(`/bookings/${booking.id}`, { starts_at: iso(start + hour), ends_at: iso(start) }),
      'ends_at',
      'min',
    );
  });

  it('of the times is 409 once it is over or cancelled', async () => {
    const booking = await book(api);
    await api.patch(`/bookings/${booking.id}`, { status: 'cancelled', cancel_reason: 'Rain.' });
    expect((await api.patch(`/bookings/${booking.id}`, freeHour())).status).toBe(409);
    expect((await api.patch(`/bookings/${booking.id}`, { notes: 'sorry' })).body.data).toMatchObject({
      status: 'cancelled',
      cancel_reason: 'Rain.',
      notes: 'sorry',
    });
    refusedBooking(
      await api.patch(`/bookings/${(await book(api)).id}`, { cancel_reason: 'Rain.' }),
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

describe('events', () => {
  it('tell of creation, change, move, each status and deletion', async () => {
    const other = await server().company();
    const client = await other.client();
    const start = server().clock.now().getTime() - hour / 2;
    const now = { starts_at: iso(start), ends_at: iso(start + hour) };
    const one = await book(client, { ...now, status: 'pending' });
    const patch = (id: string, fields: object) => client.patch(`/bookings/${id}`, fields);
    await patch(one.id, { title: 'New' });
    await patch(one.id, { title: 'New' });
    await patch(one.id, { ends_at: iso(start + 2 * hour) });
    await patch(one.id, { status: 'confirmed' });
    await patch(one.id, { status: 'completed' });
    await patch(one.id, { status: 'no_show' });
    await client.delete(`/bookings/${one.id}`);
    const two = await book(client);
    await patch(two.id, { status: 'cancelled' });
    const three = await book(client);
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
