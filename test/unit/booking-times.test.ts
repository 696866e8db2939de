import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextFree } from '../../web-client/src/bookings/next-free.ts';
import {
  addDays,
  clock,
  isDay,
  minutesOf,
  momentIn,
  wallTime,
  weekStart,
  zoneName,
} from '../../web-client/src/bookings/zone.ts';

const at = (day: string, time: string, zone: string) =>
  momentIn({ day, minutes: minutesOf(time) }, zone).toISOString();

describe('times of the calendar', () => {
  it.each([
    ['2026-03-28', '23:30', 'Europe/Paris', '2026-03-28T22:30:00.000Z'],
    ['2026-03-29', '01:59', 'Europe/Paris', '2026-03-29T00:59:00.000Z'],
    // Left out in spring: an hour later.
    ['2026-03-29', '02:30', 'Europe/Paris', '2026-03-29T01:30:00.000Z'],
    ['2026-03-29', '03:00', 'Europe/Paris', '2026-03-29T01:00:00.000Z'],
    // Twice in autumn: the first.
    ['2026-11-01', '01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
    ['2026-11-01', '02:00', 'America/New_York', '2026-11-01T07:00:00.000Z'],
    ['2026-11-01', '10:00', 'Asia/Kolkata', '2026-11-01T04:30:00.000Z'],
    ['2026-06-01', '00:00', 'Pacific/Kiritimati', '2026-05-31T10:00:00.000Z'],
  ])('%s %s in %s is %s', (day, time, zone, expected) => {
    expect(at(day, time, zone)).toBe(expected);
  });

  it('come back from a moment and its zone, but for the hour that is told twice', () => {
    const zones = ['Europe/Paris', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC'];
    const minute = fc.integer({ min: Date.UTC(2020, 0) / 60_000, max: Date.UTC(2036, 0) / 60_000 });
    fc.assert(
      fc.property(minute, fc.constantFrom(...zones), (minutes, zone) => {
        const moment = new Date(minutes * 60_000);
        const shown = wallTime(moment, zone);
        expect(wallTime(momentIn(shown, zone), zone)).toEqual(shown);
      }),
      { numRuns: 500 },
    );
  });

  it('know days, weeks and clocks', () => {
    expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
    expect([weekStart('2026-03-29'), weekStart('2026-03-30')]).toEqual(['2026-03-23', '2026-03-30']);
    expect([isDay('2026-02-30'), isDay('2026-02-28'), isDay('today')]).toEqual([false, true, false]);
    expect([clock(545), minutesOf('09:05'), minutesOf('')]).toEqual(['09:05', 545, Number.NaN]);
    expect(zoneName('Europe/Paris', new Date('2026-03-30T00:00:00Z'))).toBe('GMT+2');
  });
});

describe('the next free time', () => {
  const busy = [
    { starts_at: '2026-03-02T10:00:00Z', ends_at: '2026-03-02T11:00:00Z' },
    { starts_at: '2026-03-02T11:15:00Z', ends_at: '2026-03-02T12:00:00Z' },
  ];
  const to = new Date('2026-03-02T13:00:00Z');
  const free = (from: string, minutes: number) =>
    nextFree(busy, new Date(`2026-03-02T${from}:00Z`), minutes, to)
      ?.toISOString()
      .slice(11, 16) ?? null;

  it('is where there is room', () => {
    expect(free('09:00', 60)).toBe('09:00');
    expect(free('09:30', 60)).toBe('12:00');
    expect(free('10:30', 15)).toBe('11:00');
    expect(free('10:30', 30)).toBe('12:00');
    expect(free('10:30', 61)).toBeNull();
  });
});
