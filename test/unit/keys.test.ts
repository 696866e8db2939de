import { describe, expect, it } from 'vitest';
import { reached } from '../support/reached.ts';
import { scaled } from '../support/scale.ts';
import { effectiveGrants, newKey, withAbilities } from '../../server/platform/auth.ts';

const form = /^svc_(live|test)_[0-9A-Za-z]{1,26}\|[0-9A-Za-z]{40,}$/;
const total = scaled(20_000, 1_000_000);

describe('keys', () => {
  it(`have the documented form, and ${total} of them never repeat [K1]`, () => {
    const seen = new Set<string>();
    for (let n = 0; n < total; n++) {
      const { key, id } = newKey(n % 2 ? 'live' : 'test');
      if (!form.test(key) || !key.includes(id)) expect.fail(key.slice(0, 12));
      seen.add(key.slice(key.indexOf('|')));
    }
    expect(seen.size).toBe(total);
    reached('K1', `${total} keys, 0 repeats`);
  });
});

describe('grants', () => {
  it('are what was ticked, less what the user lost [T11]', () => {
    expect([...effectiveGrants(['contacts.view', 'tags.manage'], ['contacts.view'])]).toEqual([
      'contacts.view',
    ]);
  });

  it('of the calendar confer the legacy abilities', () => {
    expect(withAbilities(['calendar.view'])).toEqual(new Set(['calendar.view', 'bookings.read']));
    expect(withAbilities(['calendar.manage'])).toEqual(
      new Set(['calendar.manage', 'bookings.read', 'bookings.write']),
    );
    expect([...effectiveGrants(['bookings.write'], ['calendar.manage'])]).toEqual(['bookings.write']);
    expect([...effectiveGrants(['bookings.write'], ['calendar.view'])]).toEqual([]);
  });
});
