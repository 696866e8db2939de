import { maximumMinutes } from '../../schema/bookings.ts';
import { momentOf } from '../../schema/common.ts';
import { invalidField } from '../platform/errors.ts';

interface Given {
  starts_at?: string | undefined;
  ends_at?: string | undefined;
  duration_minutes?: number | undefined;
}

export interface Times {
  startsAt: Date;
  endsAt: Date;
}

const minute = 60_000;

/**
 * The times that a body asks for. Without a given end, a start that moves keeps the length it had.
 * @param before the times so far; none on create
 * @throws AppError `validation_failed`: no end, an end not after its start, longer than 24 hours
 */
export function timesOf(given: Given, before?: Times): Times {
  const start = given.starts_at === undefined ? before?.startsAt.getTime() : momentOf(given.starts_at);
  if (start === undefined) throw invalidField('starts_at', 'required', 'Is required.');
  const end = endOf(given, start, before);
  if (end === undefined)
    throw invalidField('ends_at', 'required', 'Is required unless duration_minutes is given.');
  if (end <= start)
    throw invalidField(
      given.ends_at === undefined ? 'starts_at' : 'ends_at',
      'min',
      'Must be after starts_at.',
    );
  if (end - start > maximumMinutes * minute)
    throw invalidField(
      given.ends_at === undefined ? 'starts_at' : 'ends_at',
      'max',
      'Must be within 24 hours of starts_at.',
    );
  return { startsAt: new Date(start), endsAt: new Date(end) };
}

function endOf(
  { starts_at, ends_at, duration_minutes: minutes }: Given,
  start: number,
  before?: Times,
): number | undefined {
  if (ends_at !== undefined) {
    const end = momentOf(ends_at);
    if (minutes !== undefined && end !== start + minutes * minute)
      throw invalidField('duration_minutes', 'not_allowed', 'Differs from ends_at; give one of them.');
    return end;
  }
  if (minutes !== undefined) return start + minutes * minute;
  if (!before) return undefined;
  return starts_at === undefined
    ? before.endsAt.getTime()
    : start + before.endsAt.getTime() - before.startsAt.getTime();
}
