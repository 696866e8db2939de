import { describe, expect, it } from 'vitest';
import { effectiveGrants, newKey, withAbilities } from '../../server/platform/auth.ts';

describe('keys', () => {
  it('have the documented form and never repeat', () => {
    const seen = new Set<string>();
    for (let n = 0; n < 20_000; n++) {
      const { key, id } = newKey(n % 2 ? 'live' : 'test');
      expect(key).toMatch(/^svc_(live|test)_[0-9A-Za-z]{1,26}\|[0-9A-Za-z]{40,}$/);
      expect(key).toContain(id);
      seen.add(key.slice(key.indexOf('|')));
    }
    expect(seen.size).toBe(20_000);
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
