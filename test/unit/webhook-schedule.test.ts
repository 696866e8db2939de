import { describe, expect, it } from 'vitest';
import {
  failed,
  type Health,
  isBeyondHope,
  nextAttempt,
  succeeded,
  waits,
} from '../../server/webhooks/schedule.ts';

const hour = 3_600_000;
const start = new Date('2026-03-01T00:00:00Z');
const after = (hours: number) => new Date(start.getTime() + hours * hour);

describe('the schedule', () => {
  it('has ten attempts in 75 h 35 min and 5 s', () => {
    expect(waits).toHaveLength(10);
    expect(waits.reduce((sum, wait) => sum + wait)).toBe(75 * hour + 35 * 60_000 + 5_000);
    expect(nextAttempt(10, start, undefined)).toBeNull();
  });

  it('is varied by a tenth at most [W5]', () => {
    for (let made = 1; made < 10; made++) {
      const [early, late] = [0, 1].map(
        (random) => Number(nextAttempt(made, start, undefined, random)) - Number(start),
      );
      expect([early, late]).toEqual([Math.round(waits[made]! * 0.9), Math.round(waits[made]! * 1.1)]);
    }
  });

  it.each([
    ['60', 60_000],
    ['7200', 2 * hour],
    ['999999', 24 * hour],
    ['Sun, 01 Mar 2026 03:00:00 GMT', 3 * hour],
    ['Sun, 01 Mar 2020 03:00:00 GMT', 5_000],
    ['soon', 5_000],
    ['-5', 5_000],
    ['1', 5_000],
  ])('Retry-After %s is honoured up to 24 hours [W6]', (given, wait) => {
    expect(Number(nextAttempt(1, start, given, 0.5)) - Number(start)).toBe(wait);
  });
});

describe('the clock of failures', () => {
  const fresh: Health = {
    lastSuccessAt: null,
    lastFailureAt: null,
    failingSince: null,
    failureCount: 0,
    circuitOpenUntil: null,
  };
  const failures = (...hours: number[]) => hours.reduce((health, at) => failed(health, after(at)), fresh);

  it.each([
    ['one failure', [0], null],
    ['a second within 24 hours', [0, 24], 24],
    ['a second after more than 24 hours', [0, 25], null],
    ['a third that follows the second', [0, 25, 48], 48],
    ['later ones leave it alone', [0, 1, 50, 100], 1],
  ])('%s', (_name, hours, since) => {
    expect(failures(...hours).failingSince).toEqual(since === null ? null : after(since));
  });

  it('gives up 120 hours after it began, not before', () => {
    const health = failures(0, 2, 100);
    expect(isBeyondHope(health, new Date(after(122).getTime() - 1))).toBe(false);
    expect(isBeyondHope(health, after(122))).toBe(true);
  });

  it('is cleared by one success, which also closes the circuit', () => {
    const broken = failures(0, 1, 2, 3, 4, 5, 6, 7);
    expect(broken.circuitOpenUntil).not.toBeNull();
    const well = succeeded(broken, after(8));
    expect(well).toMatchObject({ failingSince: null, failureCount: 0, circuitOpenUntil: null });
    expect(failed(well, after(8.1)).failingSince).toBeNull();
  });
});
