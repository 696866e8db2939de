import { parsePhoneNumberFromString } from 'libphonenumber-js';
import type { QuietHours } from '../../schema/campaigns.ts';

const minute = 60_000;
const step = 15 * minute;

/**
 * Time zones a contact may live in: their own, else those of their country, else of their phone number's, else the
 * company's.
 * In a country of several zones it counts as night while it is night in any of them.
 */
export function zonesOf(
  contact: { country: string | null; phone: string | null; timezone: string | null },
  companyZone: string,
): readonly string[] {
  if (contact.timezone !== null && isZone(contact.timezone)) return [contact.timezone];
  const country = contact.country ?? (contact.phone && parsePhoneNumberFromString(contact.phone)?.country);
  const zones = country ? zonesOfCountry(country) : [];
  return zones.length > 0 ? zones : [companyZone];
}

/** Nothing else checks what an import or an integration says. */
function isZone(zone: string): boolean {
  try {
    timeIn(zone, new Date(0));
    return true;
  } catch {
    return false;
  }
}

const known = new Map<string, readonly string[]>();

function zonesOfCountry(country: string): readonly string[] {
  let zones = known.get(country);
  if (!zones) {
    zones = readZones(country);
    known.set(country, zones);
  }
  return zones;
}

/** From the CLDR data of the runtime; none for a code that is no country. */
function readZones(country: string): readonly string[] {
  try {
    // In ECMA-402 and in Node, not yet in the types.
    const locale: Intl.Locale & { getTimeZones?(): string[] } = new Intl.Locale('und', {
      region: country.toUpperCase(),
    });
    return locale.getTimeZones?.() ?? [];
  } catch {
    return [];
  }
}

/**
 * When a message may go out: `now` outside of the quiet hours of all zones, else the next quarter of an hour that is;
 * null when the zones leave no time within two days.
 */
export function allowedAt(quiet: QuietHours, zones: readonly string[], now: Date): Date | null {
  const isQuiet = (at: Date) => zones.some((zone) => within(quiet, timeIn(zone, at)));
  if (!isQuiet(now)) return now;
  let at = Math.ceil((now.getTime() + 1) / step) * step;
  for (const last = now.getTime() + 48 * 60 * minute; at <= last; at += step) {
    const candidate = new Date(at);
    if (!isQuiet(candidate)) return candidate;
  }
  return null;
}

function within({ from, to }: QuietHours, time: string): boolean {
  return from < to ? time >= from && time < to : time >= from || time < to;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function timeIn(zone: string, at: Date): string {
  let clock = clocks.get(zone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
    clocks.set(zone, clock);
  }
  return clock.format(at);
}
