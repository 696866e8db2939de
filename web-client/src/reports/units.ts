import type { inferOutput, trpc } from '../app/trpc.ts';

export type Figure = inferOutput<typeof trpc.reports.volume>['data']['figures'][number];
export type Summary = Figure['total'];
export type Metric = Figure['metric'];

export const titles: Record<Metric, string> = {
  opened: 'New conversations',
  received: 'Messages received',
  sent: 'Messages sent',
  closed: 'Conversations closed',
  first_response: 'First response',
  resolution: 'Time to close',
  rating: 'Ratings',
  campaign_orders: 'Orders of campaigns',
};

const whole = new Intl.NumberFormat();
const fraction = new Intl.NumberFormat(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

export function countOf(value: number): string {
  return whole.format(value);
}

/** The number that stands for a summary: what is counted, the median of times, the mean of ratings. */
export function headline({ unit }: Pick<Figure, 'unit'>, { count, median, average }: Summary): number | null {
  if (unit === 'seconds') return median;
  return unit === 'rating' ? average : count;
}

export function shown({ unit }: Pick<Figure, 'unit'>, value: number | null): string {
  if (value === null) return '–';
  if (unit === 'seconds') return duration(value);
  return unit === 'rating' ? fraction.format(value) : whole.format(value);
}

/** `45 s`, `12 min`, `3 h 5 min`, `2 d 4 h`. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return join(`${hours} h`, minutes % 60, 'min');
  return join(`${Math.floor(hours / 24)} d`, hours % 24, 'h');
}

function join(first: string, rest: number, unit: string): string {
  return rest === 0 ? first : `${first} ${rest} ${unit}`;
}

/** The change from before, in percent; null when there is nothing to compare with. */
export function changeOf(now: number | null, before: number | null): string | null {
  if (now === null || before === null || before === 0) return null;
  const percent = Math.round(((now - before) / before) * 100);
  return `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${whole.format(Math.abs(percent))} %`;
}

export function money(minor: number, currency: string): string {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency });
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  return format.format(minor / 10 ** maximumFractionDigits);
}

const dayFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A date of a report, which has no time of day. */
export function dayOf(date: string): string {
  return dayFormat.format(new Date(date));
}
