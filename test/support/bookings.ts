import { expect } from 'vitest';
import { Booking } from '../../schema/bookings.ts';
import { BookingsErrorBody } from '../../schema/common.ts';
import type { Answer, Client } from './client.ts';

export const hour = 3_600_000;
export const iso = (time: number) => new Date(time).toISOString();

let slots = 0;

/** A free hour: each call gives a later one, two hours after the last, starting tomorrow. */
export function freeHour(): { starts_at: string; ends_at: string } {
  const start = Math.ceil(Date.now() / hour) * hour + (24 + 2 * slots++) * hour;
  return { starts_at: iso(start), ends_at: iso(start + hour) };
}

/** Makes a booking in a free hour. */
export async function book(api: Client, fields: object = {}): Promise<Booking> {
  const answer = await api.post('/bookings', { title: 'Fitting', ...freeHour(), ...fields });
  expect(answer.status, answer.text).toBe(201);
  expect(Object.keys(answer.body)).toEqual(['data']);
  return Booking.parse(answer.body.data);
}

/** Checks that the answer is a 422 about one field, in both shapes. */
export function refusedBooking(answer: Answer, param: string, code: string): void {
  expect(answer.status, answer.text).toBe(422);
  const { error, errors, message } = BookingsErrorBody.parse(answer.body);
  expect(error.details?.[0]).toMatchObject({ param, code });
  expect(errors[param]).toContain(message);
}
