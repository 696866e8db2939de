import type { inferOutput, trpc } from '../app/trpc.ts';
import { dateFormat } from '../language/formats.ts';

export type Hours = NonNullable<inferOutput<typeof trpc.company.show>['data']['business_hours']>;

/** Monday first, as the record names them. */
export const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

export type Day = (typeof days)[number];

const dayNames = dateFormat({ weekday: 'long', timeZone: 'UTC' });

/** The day in the language that is on. */
export function dayName(day: Day): string {
  // The fourth of January 2027 is a Monday.
  return dayNames.format(Date.UTC(2027, 0, 4 + days.indexOf(day)));
}

/** `09:00–13:00, 14:00–18:00`; nothing for a day off. */
export function textOf(hours: Hours | null, day: Day): string {
  return (hours?.[day] ?? []).map(({ from, to }) => `${from}–${to}`).join(', ');
}

/** The hours in such a text. What is no time at all is passed on: the server says what is wrong with it. */
export function hoursIn(text: string): { from: string; to: string }[] {
  return text
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [from = '', to = ''] = part.split(/\s*[-–—]\s*/);
      return { from: padded(from), to: padded(to) };
    });
}

/** `9` and `9:30` are `09:00` and `09:30`. */
function padded(time: string): string {
  const found = /^(\d{1,2})(?::(\d{2}))?$/.exec(time);
  return found ? `${(found[1] ?? '').padStart(2, '0')}:${found[2] ?? '00'}` : time;
}
