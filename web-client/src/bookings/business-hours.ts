import type { Hours } from '../company/hours.ts';
import { days as weekdays } from '../company/hours.ts';
import { addDays, clock, momentIn, wallTime } from './zone.ts';

/** Hours of one weekday, 0 for Sunday, as the calendar takes them. */
export interface OpenHours {
  daysOfWeek: number[];
  startTime: string;
  endTime: string;
}

/**
 * When the company is open in these days, in the zone that is shown. Holidays have hours of their own or none.
 * @param days of the calendar shown; at most a week, so that a weekday is one day
 * @returns null for a company that is always open
 */
export function openHours(
  hours: Hours | null,
  companyZone: string,
  days: readonly string[],
  zone: string,
): OpenHours[] | null {
  if (!hours) return null;
  const first = days[0] ?? '';
  const last = days.at(-1) ?? first;
  const around = [addDays(first, -1), ...days, addDays(last, 1)];
  return around.flatMap((day) =>
    hoursOn(hours, day).flatMap(({ from, to }) => {
      const start = wallTime(momentIn({ day, minutes: minutes(from) }, companyZone), zone);
      const end = wallTime(momentIn({ day, minutes: minutes(to) }, companyZone), zone);
      return parts(start, end)
        .filter((part) => days.includes(part.day))
        .map(open);
    }),
  );
}

function hoursOn(hours: Hours, day: string): readonly { from: string; to: string }[] {
  const holiday = hours.holidays?.find(({ date }) => date === day);
  if (holiday) return holiday.hours ?? [];
  const weekday = weekdays[(weekdayOf(day) + 6) % 7];
  return (weekday && hours[weekday]) ?? [];
}

interface Part {
  day: string;
  from: number;
  to: number;
}

/** Cut at midnight. */
function parts(start: ReturnType<typeof wallTime>, end: ReturnType<typeof wallTime>): Part[] {
  if (start.day === end.day) return [{ day: start.day, from: start.minutes, to: end.minutes }];
  return [
    { day: start.day, from: start.minutes, to: 24 * 60 },
    ...(end.minutes > 0 ? [{ day: end.day, from: 0, to: end.minutes }] : []),
  ];
}

const open = ({ day, from, to }: Part): OpenHours => ({
  daysOfWeek: [weekdayOf(day)],
  startTime: clock(from),
  endTime: clock(to),
});

const weekdayOf = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay();

const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
