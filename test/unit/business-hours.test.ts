import { describe, expect, it } from 'vitest';
import { isOpenAt, openingAt } from '../../server/account/business-hours.ts';
import { BusinessHours, weekdays } from '../../schema/company.ts';

const office = [{ from: '09:00', to: '18:00' }];
const week = { mon: office, tue: office, wed: office, thu: office, fri: office };
const everyDay = (hours: object[]) => Object.fromEntries(weekdays.map((day) => [day, hours]));

/** `open` or `closed`, since when and until when, as a reader says it. */
const told = (businessHours: unknown, timezone: string, moment: string) => {
  const { open, since, until } = openingAt({ businessHours, timezone }, new Date(moment));
  expect(isOpenAt({ businessHours, timezone }, new Date(moment))).toBe(open);
  return [open ? 'open' : 'closed', since?.toISOString() ?? null, until?.toISOString() ?? null];
};

describe('hours of a week', () => {
  // 2026-03-02 is a Monday.
  it.each([
    ['2026-03-02T08:59:59.999Z', 'closed', '2026-02-27T18:00:00.000Z', '2026-03-02T09:00:00.000Z'],
    ['2026-03-02T09:00:00.000Z', 'open', '2026-03-02T09:00:00.000Z', '2026-03-02T18:00:00.000Z'],
    ['2026-03-02T17:59:59.999Z', 'open', '2026-03-02T09:00:00.000Z', '2026-03-02T18:00:00.000Z'],
    ['2026-03-02T18:00:00.000Z', 'closed', '2026-03-02T18:00:00.000Z', '2026-03-03T09:00:00.000Z'],
    ['2026-03-07T12:00:00.000Z', 'closed', '2026-03-06T18:00:00.000Z', '2026-03-09T09:00:00.000Z'],
  ])('at %s is %s from %s to %s', (moment, ...expected) => {
    expect(told(week, 'UTC', moment)).toEqual(expected);
  });

  it('are those of the zone', () => {
    expect(told(week, 'America/Sao_Paulo', '2026-03-02T11:59:00Z')[0]).toBe('closed');
    expect(told(week, 'America/Sao_Paulo', '2026-03-02T12:00:00Z')[0]).toBe('open');
    // Monday in Auckland is still Sunday in UTC.
    expect(told(week, 'Pacific/Auckland', '2026-03-01T20:00:00Z')[0]).toBe('open');
  });

  it('over midnight are one period, all week long without end', () => {
    const night = { fri: [{ from: '22:00', to: '24:00' }], sat: [{ from: '00:00', to: '02:00' }] };
    const period = ['open', '2026-03-06T22:00:00.000Z', '2026-03-07T02:00:00.000Z'];
    expect(told(night, 'UTC', '2026-03-06T23:00:00Z')).toEqual(period);
    expect(told(night, 'UTC', '2026-03-07T01:59:00Z')).toEqual(period);
    expect(told(everyDay([{ from: '00:00', to: '24:00' }]), 'UTC', '2026-03-06T23:00:00Z')).toEqual([
      'open',
      null,
      null,
    ]);
  });

  it('that are none, and none at all', () => {
    expect(told({}, 'UTC', '2026-03-06T23:00:00Z')).toEqual(['closed', null, null]);
    expect(told(null, 'UTC', '2026-03-06T23:00:00Z')).toEqual(['open', null, null]);
  });

  it('give way to holidays', () => {
    const holidays = [
      { date: '2026-12-24', hours: [{ from: '09:00', to: '12:00' }] },
      { date: '2026-12-25' },
      { date: '2026-12-26', hours: [{ from: '10:00', to: '11:00' }] },
    ];
    const hours = { ...week, holidays };
    expect(told(hours, 'Europe/Lisbon', '2026-12-24T13:00:00Z')).toEqual([
      'closed',
      '2026-12-24T12:00:00.000Z',
      '2026-12-26T10:00:00.000Z',
    ]);
    expect(told(hours, 'Europe/Lisbon', '2026-12-26T10:30:00Z')[0]).toBe('open');
  });
});

describe('days on which the clocks change', () => {
  const hours = (from: string, to: string) => everyDay([{ from, to }]);

  it('keep the hours that the clocks show', () => {
    // Lisbon: 29 March to summer time, 25 October back.
    const office = hours('09:00', '18:00');
    expect(told(office, 'Europe/Lisbon', '2026-03-28T12:00:00Z').slice(1)).toEqual([
      '2026-03-28T09:00:00.000Z',
      '2026-03-28T18:00:00.000Z',
    ]);
    expect(told(office, 'Europe/Lisbon', '2026-03-29T12:00:00Z').slice(1)).toEqual([
      '2026-03-29T08:00:00.000Z',
      '2026-03-29T17:00:00.000Z',
    ]);
    expect(told(office, 'Europe/Lisbon', '2026-10-25T12:00:00Z').slice(1)).toEqual([
      '2026-10-25T09:00:00.000Z',
      '2026-10-25T18:00:00.000Z',
    ]);
  });

  it('begin when a skipped time is skipped, and a time that comes twice counts twice', () => {
    expect(told(hours('01:30', '03:00'), 'Europe/Lisbon', '2026-03-29T01:30:00Z')).toEqual([
      'open',
      '2026-03-29T01:00:00.000Z',
      '2026-03-29T02:00:00.000Z',
    ]);
    expect(told(hours('02:15', '02:45'), 'America/New_York', '2026-03-08T07:00:00Z')[0]).toBe('closed');
    expect(told(hours('01:00', '01:30'), 'Europe/Lisbon', '2026-10-25T01:15:00Z')).toEqual([
      'open',
      '2026-10-25T00:00:00.000Z',
      '2026-10-25T01:30:00.000Z',
    ]);
  });
});

describe('hours as they are given', () => {
  it.each([
    ['mon.0.from', { mon: [{ from: '9:00', to: '18:00' }] }],
    ['mon.0.from', { mon: [{ from: '24:00', to: '24:00' }] }],
    ['tue.0.to', { tue: [{ from: '09:00', to: '25:00' }] }],
    ['tue.0.to', { tue: [{ from: '09:00', to: '09:00' }] }],
    ['tue.0.to', { tue: [{ from: '18:00', to: '09:00' }] }],
    ['wed.1', { wed: [...office, { from: '17:59', to: '20:00' }] }],
    ['wed.1', { wed: [...office, { from: '08:00', to: '20:00' }] }],
    ['holidays.0.date', { holidays: [{ date: '2026-02-30' }] }],
    ['holidays.1.date', { holidays: [{ date: '2026-02-20' }, { date: '2026-02-20' }] }],
    [
      'holidays.0.hours.0.to',
      { holidays: [{ date: '2026-02-20', hours: [{ from: '10:00', to: '09:00' }] }] },
    ],
    ['thu', { thu: Array.from({ length: 11 }, (_, n) => ({ from: `0${n % 10}:00`, to: '23:00' })) }],
  ])('refuse %s', (path, given) => {
    const { error } = BusinessHours.safeParse(given);
    expect(error?.issues.map((issue) => issue.path.join('.'))).toContain(path);
  });

  it('may touch', () => {
    const given = {
      mon: [
        { from: '12:00', to: '24:00' },
        { from: '00:00', to: '12:00' },
      ],
    };
    expect(BusinessHours.parse(given)).toEqual(given);
    expect(told(given, 'UTC', '2026-03-02T12:00:00Z').slice(1)).toEqual([
      '2026-03-02T00:00:00.000Z',
      '2026-03-03T00:00:00.000Z',
    ]);
  });
});
