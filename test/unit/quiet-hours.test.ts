import { describe, expect, it } from 'vitest';
import { allowedAt, zonesOf } from '../../server/campaigns/quiet-hours.ts';

const night = { from: '21:00', to: '09:00' };
const at = (text: string) => new Date(text);

describe('quiet hours', () => {
  it('let a message through by day, and make it wait for the end of the night', () => {
    expect(allowedAt(night, ['Europe/Berlin'], at('2026-06-01T10:00:00Z'))).toEqual(
      at('2026-06-01T10:00:00Z'),
    );
    expect(allowedAt(night, ['Europe/Berlin'], at('2026-06-01T19:00:00Z'))).toEqual(
      at('2026-06-02T07:00:00Z'),
    );
    expect(allowedAt(night, ['Europe/Berlin'], at('2026-06-01T18:59:59Z'))).toEqual(
      at('2026-06-01T18:59:59Z'),
    );
  });

  it('within one day work too', () => {
    const siesta = { from: '13:00', to: '15:00' };
    expect(allowedAt(siesta, ['Europe/Madrid'], at('2026-01-10T12:30:00Z'))).toEqual(
      at('2026-01-10T14:00:00Z'),
    );
    expect(allowedAt(siesta, ['Europe/Madrid'], at('2026-01-10T14:00:00Z'))).toEqual(
      at('2026-01-10T14:00:00Z'),
    );
  });

  it('follow the clocks when they change', () => {
    // 29 March 2026, 02:00 becomes 03:00 in Berlin: the night is an hour shorter.
    expect(allowedAt(night, ['Europe/Berlin'], at('2026-03-28T20:00:00Z'))).toEqual(
      at('2026-03-29T07:00:00Z'),
    );
    expect(allowedAt(night, ['Europe/Berlin'], at('2026-10-24T20:00:00Z'))).toEqual(
      at('2026-10-25T08:00:00Z'),
    );
  });

  it('are those of everywhere the contact may live, and never end where zones leave no time', () => {
    expect(allowedAt(night, ['America/New_York', 'America/Los_Angeles'], at('2026-06-01T14:00:00Z'))).toEqual(
      at('2026-06-01T16:00:00Z'),
    );
    const long = { from: '10:00', to: '09:00' };
    expect(allowedAt(long, ['Europe/Berlin', 'Asia/Tokyo'], at('2026-06-01T14:00:00Z'))).toBeNull();
  });
});

describe('the zones of a contact', () => {
  const contact = { country: null, phone: null, timezone: null };

  it('are their own, else those of the country, else of the phone, else of the company', () => {
    const abroad = { country: 'DE', phone: '+351912345678' };
    expect(zonesOf({ ...abroad, timezone: 'Asia/Tokyo' }, 'UTC')).toEqual(['Asia/Tokyo']);
    expect(zonesOf({ ...abroad, timezone: 'Nowhere/Else' }, 'UTC')).toContain('Europe/Berlin');
    expect(zonesOf({ ...contact, ...abroad }, 'UTC')).toContain('Europe/Berlin');
    expect(zonesOf({ ...contact, phone: '+351912345678' }, 'UTC')).toContain('Europe/Lisbon');
    expect(zonesOf(contact, 'America/Lima')).toEqual(['America/Lima']);
    expect(zonesOf({ ...contact, country: 'XX' }, 'America/Lima')).toEqual(['America/Lima']);
  });
});
