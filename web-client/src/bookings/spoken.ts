import type { Booking } from './bookings-page.tsx';
import { zoneName } from './zone.ts';
import { dateFormat, type DateFormat } from '../language/formats.ts';

const formats = new Map<string, DateFormat>();

/** Full date and zone, for those who do not see where it stands. */
export function spoken({ starts_at, ends_at }: Pick<Booking, 'starts_at' | 'ends_at'>, zone: string): string {
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
