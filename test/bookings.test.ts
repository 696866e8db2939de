import { beforeAll, describe, expect, it } from 'vitest';
import type { Booking } from '../schema/bookings.ts';
import { BookingsErrorBody } from '../schema/common.ts';
import type { Answer, Client } from './support/client.ts';
import { book, freeHour, hour, iso, refusedBooking } from './support/bookings.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addAgent, addContact, insertConversation, nobody } from './support/shop.ts';

const server = useServer();
let company: TestCompany;
let api: Client;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
});

describe('a booking', () => {
  it('is created with defaults: confirmed, with the agent of the key, in the zone of the company', async () => {
    const times = freeHour();
    const booking = await book(api, times);
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
    const booking = await book(api, {
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
    refusedBooking(await api.post('/bookings', body), param, code);
  });

  it('of a deactivated agent is refused', async () => {
    const agent = await addAgent(server().app, company.id, 'gone@example.com');
    await server().app.pool.query('UPDATE users SET deactivated_at = now() WHERE email = $1', [agent.email]);
    refusedBooking(
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

  it('touch but do not overlap; a pending booking keeps its slot too; another agent has slots of his own [O2]', async () => {
    const times = freeHour();
    await book(api, { ...times, status: 'pending' });
    for (const minutes of [0, 1, 59, -59, -1])
      taken(await api.post('/bookings', { title: 'a', ...shifted(times, minutes) }));
    await book(api, shifted(times, 60));
    const agent = await addAgent(server().app, company.id, 'other@example.com');
    await book(api, { ...times, agent_email: agent.email });
  });

  it('are free again after cancelling, closing and deleting', async () => {
    const times = freeHour();
    const first = await book(api, times);
    await api.patch(`/bookings/${first.id}`, { status: 'cancelled' });
    const second = await book(api, times);
    expect((await api.delete(`/bookings/${second.id}`)).status).toBe(204);
    await book(api, times);
  });

  it('are kept by updates: moved onto a taken slot is 409 and changes nothing [O3]', async () => {
    const [one, two] = [await book(api), await book(api)];
    const { starts_at, ends_at } = two;
    taken(await api.patch(`/bookings/${one.id}`, { starts_at, ends_at, title: 'Moved' }));
    expect((await api.get(`/bookings/${one.id}`)).body.data).toEqual(one);
    const agent = await addAgent(server().app, company.id, 'third@example.com');
    const theirs = await book(api, { starts_at, ends_at, agent_email: agent.email });
    taken(await api.patch(`/bookings/${theirs.id}`, { agent_email: company.owner.email }));
    // Onto itself is no conflict.
    const half = { starts_at: iso(Date.parse(starts_at) + hour / 2), duration_minutes: 30 };
    expect((await api.patch(`/bookings/${two.id}`, half)).status).toBe(200);
  });

  it('stay one of many updates and creates at once [O3]', async () => {
    const times = freeHour();
    const others: Booking[] = [];
    for (let n = 0; n < 10; n++) others.push(await book(api));
    const answers = await Promise.all([
      ...others.map(({ id }) => api.patch(`/bookings/${id}`, times)),
      ...others.map(() => api.post('/bookings', { title: 'a', ...times })),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status !== 409)).toHaveLength(1);
    expect(statuses.every((status) => [200, 201, 409].includes(status))).toBe(true);
  });
});
