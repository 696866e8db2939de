import { BusinessHours, type Interval, weekdays } from '../../schema/company.ts';
import { zonedDate, zonedMoment } from './zoned-time.ts';

/** Whether a company works at a moment, and the ends of the period, open or closed, which that moment is in. */
export interface Opening {
  open: boolean;
  /** Start of the period; null when it has always been so, as far as is looked back. */
  since: Date | null;
  /** When it opens next, or closes; null when it never does, as far as is looked ahead. */
  until: Date | null;
}

const day = 86_400_000;
/** A closed period is looked for as far as a year; holidays are listed for about as long. */
const horizonDays = 400;

interface Settings {
  /** As stored; null is always open. */
  businessHours: unknown;
  timezone: string;
}

/** A stretch of time, from included, to not included. In milliseconds. */
type Stretch = readonly [from: number, to: number];

/** Whether the company works at a moment; for one that always does this costs nothing. */
export function isOpenAt({ businessHours, timezone }: Settings, moment: Date): boolean {
  const hours = hoursOf(businessHours);
  return hours === null || currentStretch(hours, timezone, moment) !== undefined;
}

/** What the settings say of a moment. On days with a change of the clock too, hours are those that the clocks show. */
export function openingAt({ businessHours, timezone }: Settings, moment: Date): Opening {
  const hours = hoursOf(businessHours);
  if (hours === null) return { open: true, since: null, until: null };
  const now = moment.getTime();
  const today = zonedDate(moment, timezone);
  const at = (days: number) => stretchesOf(hours, timezone, addDays(today, days));
  const current = currentStretch(hours, timezone, moment);
  if (current) return { open: true, ...endsOf(current, at) };
  return {
    open: false,
    since: search(-1, at, (found) => found.findLast(([, to]) => to <= now)?.[1]),
    until: search(1, at, (found) => found.find(([from]) => from > now)?.[0]),
  };
}

/** The hours that a moment is in, with those of the days around that touch them. */
function currentStretch(hours: BusinessHours, timezone: string, moment: Date): Stretch | undefined {
  const now = moment.getTime();
  const today = zonedDate(moment, timezone);
  const near = [-1, 0, 1].flatMap((days) => stretchesOf(hours, timezone, addDays(today, days)));
  return joined(near).find(([from, to]) => from <= now && now < to);
}

/** Null for always open. What is stored was checked when it was saved; what can't be read counts as always open. */
export function hoursOf(stored: unknown): BusinessHours | null {
  const parsed = BusinessHours.nullish().safeParse(stored);
  return parsed.success ? (parsed.data ?? null) : null;
}

/** Hours of one date, in order: those of the holiday when it is one, else of the weekday. */
function stretchesOf(hours: BusinessHours, timezone: string, date: string): Stretch[] {
  const holiday = hours.holidays?.find((one) => one.date === date);
  const weekday = weekdays[(new Date(date).getUTCDay() + 6) % 7] ?? 'mon';
  const intervals: readonly Interval[] = (holiday ? holiday.hours : hours[weekday]) ?? [];
  return intervals
    .map(({ from, to }): Stretch => [
      zonedMoment(date, from, timezone, 'first'),
      zonedMoment(date, to, timezone, 'last'),
    ])
    .filter(([from, to]) => from < to)
    .sort(([a], [b]) => a - b);
}

/** Stretches that touch, as over midnight, are one. */
function joined(stretches: readonly Stretch[]): Stretch[] {
  const result: Stretch[] = [];
  for (const [from, to] of stretches) {
    const last = result.at(-1);
    if (last && from <= last[1]) result[result.length - 1] = [last[0], Math.max(last[1], to)];
    else result.push([from, to]);
  }
  return result;
}

/** The ends of an open period, over as many days as touch; null where it goes on for a year. */
function endsOf([from, to]: Stretch, at: (days: number) => Stretch[]): Pick<Opening, 'since' | 'until'> {
  let [since, until]: [number, number] = [from, to];
  let before = 2;
  for (; before < horizonDays; before++) {
    const touching = at(-before).findLast((one) => one[0] < since && one[1] >= since);
    if (!touching) break;
    since = touching[0];
  }
  let after = 2;
  for (; after < horizonDays; after++) {
    const touching = at(after).find((one) => one[0] <= until && one[1] > until);
    if (!touching) break;
    until = touching[1];
  }
  return {
    since: before < horizonDays ? new Date(since) : null,
    until: after < horizonDays ? new Date(until) : null,
  };
}

function search(
  direction: 1 | -1,
  at: (days: number) => Stretch[],
  pick: (stretches: Stretch[]) => number | undefined,
): Date | null {
  for (let days = 0; days < horizonDays; days++) {
    const found = pick(at(direction * days));
    if (found !== undefined) return new Date(found);
  }
  return null;
}

function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * day).toISOString().slice(0, 10);
}
