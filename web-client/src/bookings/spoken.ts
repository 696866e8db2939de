import type { Booking } from './bookings-page.tsx';
import { zoneName } from './zone.ts';
import { dateFormat, type DateFormat } from '../language/formats.ts';
import { currentLocale } from '../language/language.ts';

const formats = new Map<string, DateFormat>();

type Times = Pick<Booking, 'starts_at' | 'ends_at'>;

/** What was said of a booking, and where: a week of them is drawn more often than it changes. */
const said = new WeakMap<Times, { place: string; text: string }>();

/** Full date and zone, for those who do not see where it stands. */
export function spoken(times: Times, zone: string): string {
  const place = `${zone} ${currentLocale()}`;
  const before = said.get(times);
  if (before?.place === place) return before.text;
  const text = inFull(times, zone);
  said.set(times, { place, text });
  return text;
}

function inFull({ starts_at, ends_at }: Times, zone: string): string {
  const format =
    formats.get(zone) ??
    dateFormat({
      timeZone: zone,
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'short',
    });
  formats.set(zone, format);
  const [start, end] = [new Date(starts_at), new Date(ends_at)];
  // Where an hour comes twice, both ends say which one is meant.
  if (zoneName(zone, start) !== zoneName(zone, end)) return `${format.format(start)} – ${format.format(end)}`;
  return format.formatRange(start, end);
}
