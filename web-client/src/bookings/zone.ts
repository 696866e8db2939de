/** A time of a calendar and a clock, without a zone. */
export interface WallTime {
  /** `2026-03-29`. */
  day: string;
  /** Minutes after midnight. */
  minutes: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function partsFormat(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  formats.set(zone, format);
  return format;
}

/** What calendar and clock show in a zone. */
export function wallTime(at: Date, zone: string): WallTime {
  const parts = Object.fromEntries(
    partsFormat(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return {
    day: `${parts['year']?.padStart(4, '0')}-${parts['month']}-${parts['day']}`,
    minutes: Number(parts['hour']) * 60 + Number(parts['minute']),
  };
}

/**
 * The moment at which calendar and clock of a zone show this. A time that is left out in spring is that much later;
 * of one that comes twice in autumn it is the first.
 */
export function momentIn({ day, minutes }: WallTime, zone: string): Date {
  const asUtc = Date.parse(`${day}T00:00:00Z`) + minutes * 60_000;
  const offset = (at: number) => {
    const shown = wallTime(new Date(at), zone);
    return Date.parse(`${shown.day}T00:00:00Z`) + shown.minutes * 60_000 - at;
  };
  // Offsets of the day before and after: they differ where the clocks are changed.
  const [before, after] = [offset(asUtc - 86_400_000), offset(asUtc + 86_400_000)];
  const first = asUtc - before;
  return new Date(offset(first) === before ? first : gapOr(asUtc, before, after, offset));
}

function gapOr(asUtc: number, before: number, after: number, offset: (at: number) => number): number {
  const second = asUtc - after;
  return offset(second) === after ? second : asUtc - before;
}

/** `2026-03-29` and so many days later. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10);
}

/** The Monday of the week. */
export function weekStart(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return addDays(day, -((weekday + 6) % 7));
}

/** Whether it is a day of the calendar. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** `09:05` of 545 minutes. */
export function clock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

/** Minutes of `09:05`; NaN of anything else. */
export function minutesOf(text: string): number {
  const match = /^(\d{2}):(\d{2})/.exec(text);
  return match ? Number(match[1]) * 60 + Number(match[2]) : Number.NaN;
}

const names = new Map<string, Intl.DateTimeFormat>();

/** `GMT+1`, as it is at a moment. */
export function zoneName(zone: string, at: Date): string {
  // To make a format takes longer than to use it, and each booking asks.
  const format =
    names.get(zone) ?? new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'shortOffset' });
  names.set(zone, format);
  const parts = format.formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

/** Whether it names a time zone. */
export function isZone(text: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
