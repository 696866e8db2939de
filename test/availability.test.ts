import { beforeAll, describe, expect, it } from 'vitest';
import { Availability, type Booking } from '../schema/bookings.ts';
import type { Client } from './support/client.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addAgent, flight, tally } from './support/shop.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let agent: string;
let agents = 0;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
});

/** An agent with an empty calendar. */
async function newAgent(): Promise<string> {
  agent = (await addAgent(server().app, company.id, `agent-${agents++}@example.com`)).email;
  return agent;
}

async function book(starts_at: string, ends_at: string, fields: object = {}): Promise<Booking> {
  const answer = await api.post('/bookings', {
    title: 'a',
    starts_at,
    ends_at,
    agent_email: agent,
    ...fields,
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
}

async function busy(from: string, to: string): Promise<[string, string][]> {
  const answer = await api.get('/availability', { agent_email: agent, from, to });
  expect(answer.status, answer.text).toBe(200);
  return Availability.parse(answer.body).busy.map(({ starts_at, ends_at }) => [starts_at, ends_at]);
}

const at = (time: string) => `2031-03-04T${time}:00.000Z`;

describe('availability', () => {
  it('is empty for a free agent', async () => {
    await newAgent();
    expect(await busy('2031-03-04', '2031-03-05')).toEqual([]);
  });

  it('is sorted, with touching slots made one, pending ones too', async () => {
    await newAgent();
    await book(at('15:00'), at('16:00'));
    await book(at('11:00'), at('12:00'), { status: 'pending' });
    await book(at('10:00'), at('11:00'));
    expect(await busy('2031-03-04', '2031-03-05')).toEqual([
      [at('10:00'), at('12:00')],
      [at('15:00'), at('16:00')],
    ]);
  });

  it('is clipped to the window, whose end is open', async () => {
    await newAgent();
    await book(at('10:00'), at('12:00'));
    expect(await busy(at('10:30'), at('11:30'))).toEqual([[at('10:30'), at('11:30')]]);
    expect(await busy(at('12:00'), at('13:00'))).toEqual([]);
    expect(await busy(at('09:00'), at('10:00'))).toEqual([]);
    expect(await busy('2031-03-04T12:30:00+01:00', at('13:00'))).toEqual([[at('11:30'), at('12:00')]]);
  });

  it('leaves out cancelled, closed and deleted bookings and those of others', async () => {
    const first = await newAgent();
    const cancelled = await book(at('10:00'), at('11:00'));
    await api.patch(`/bookings/${cancelled.id}`, { status: 'cancelled' });
    const deleted = await book(at('11:00'), at('12:00'));
    await api.delete(`/bookings/${deleted.id}`);
    await newAgent();
    await book(at('13:00'), at('14:00'));
    agent = first;
    expect(await busy('2031-03-04', '2031-03-05')).toEqual([]);
  });

  it('takes 62 days, and a booking of 24 hours that began before the window', async () => {
    await newAgent();
    await book('2031-03-03T23:30:00Z', '2031-03-04T23:30:00Z');
    expect(await busy('2031-03-04T23:00:00Z', '2031-05-05T23:00:00Z')).toEqual([
      ['2031-03-04T23:00:00.000Z', '2031-03-04T23:30:00.000Z'],
    ]);
  });

  it.each([
    [{ agent_email: undefined }, 'agent_email', 'required'],
    [{ from: undefined }, 'from', 'required'],
    [{ to: undefined }, 'to', 'required'],
    [{ agent_email: 'x' }, 'agent_email', 'format'],
    [{ agent_email: 'nobody@example.com' }, 'agent_email', 'unknown_id'],
    [{ from: 'monday' }, 'from', 'format'],
    [{ to: '2031-03-01' }, 'to', 'min'],
    [{ to: '2031-02-28' }, 'to', 'min'],
    [{ to: '2031-05-02T00:00:01Z' }, 'to', 'max'],
  ])('refuses %j', async (fields, param, code) => {
    const query = { agent_email: company.owner.email, from: '2031-03-01', to: '2031-03-02', ...fields };
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const answer = await api.get('/availability', Object.fromEntries(given));
    expect(answer.status).toBe(422);
    expect(answer.body.error.details[0]).toMatchObject({ param, code });
    expect(answer.body.errors[param]).toHaveLength(1);
  });
});

describe('days on which the clocks change', () => {
  it('have 23 hours in Paris on 29 March 2026: the night is two bookings that touch', async () => {
    await newAgent();
    const one = await book('2026-03-29T01:00:00+01:00', '2026-03-29T03:00:00+02:00', {
      timezone: 'Europe/Paris',
    });
    expect(one).toMatchObject({
      starts_at: '2026-03-29T00:00:00.000Z',
      ends_at: '2026-03-29T01:00:00.000Z',
      duration_minutes: 60,
      timezone: 'Europe/Paris',
    });
    await book('2026-03-29T03:00:00+02:00', '2026-03-29T04:00:00+02:00');
    expect(await busy('2026-03-29T00:00:00+01:00', '2026-03-30T00:00:00+02:00')).toEqual([
      ['2026-03-29T00:00:00.000Z', '2026-03-29T02:00:00.000Z'],
    ]);
  });

  it('have 25 hours in New York on 1 November 2026: half past one comes twice and is two slots', async () => {
    await newAgent();
    const first = await book('2026-11-01T01:30:00-04:00', '2026-11-01T01:30:00-05:00', {
      timezone: 'America/New_York',
    });
    expect(first.duration_minutes).toBe(60);
    const second = await book('2026-11-01T01:30:00-05:00', '2026-11-01T02:30:00-05:00');
    expect(second.starts_at).toBe('2026-11-01T06:30:00.000Z');
    expect(await busy('2026-11-01T00:00:00-04:00', '2026-11-02T00:00:00-05:00')).toEqual([
      ['2026-11-01T05:30:00.000Z', '2026-11-01T07:30:00.000Z'],
    ]);
    // The whole day is 25 hours, one more than a booking may have.
    await newAgent();
    const day = { title: 'a', agent_email: agent, starts_at: '2026-11-01T00:00:00-04:00' };
    expect((await api.post('/bookings', { ...day, ends_at: '2026-11-02T00:00:00-05:00' })).status).toBe(422);
    expect((await api.post('/bookings', { ...day, ends_at: '2026-11-01T23:00:00-05:00' })).status).toBe(201);
  });
});

describe('one slot', () => {
  it('is booked once by 200 at once, fifty times', async () => {
    await newAgent();
    for (let round = 0; round < 50; round++) {
      const start = Date.parse('2031-03-04T00:00:00Z') + round * 3_600_000;
      const answers = await flight(200, 200, (n) =>
        api.post('/bookings', {
          title: 'a',
          // All overlap, none the same.
          starts_at: new Date(start + (n % 30) * 60_000).toISOString(),
          ends_at: new Date(start + 3_600_000 - (n % 29) * 60_000).toISOString(),
          agent_email: agent,
          status: n % 2 ? 'pending' : 'confirmed',
        }),
      );
      expect(tally(answers.map(({ status }) => status))).toEqual({ 201: 1, 409: 199 });
    }
  }, 300_000);
});
