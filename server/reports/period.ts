import type { ReportQuery } from '../../schema/reports.ts';
import { zonedMoment } from '../account/zoned-time.ts';
import type { Context } from '../platform/context.ts';

const day = 86_400_000;

/** Moments from `from` on and before `to`. */
export interface Range {
  from: Date;
  to: Date;
}

/** A period in the company's time zone, and the one of the same length just before. */
export interface Period {
  from: string;
  to: string;
  group: 'day' | 'week';
  timezone: string;
  range: Range;
  previous: { from: string; to: string; range: Range };
}

export function periodOf(
  ctx: Context,
  { from, to, group = 'day' }: Omit<ReportQuery, 'group'> & Partial<ReportQuery>,
): Period {
  const { timezone } = ctx.principal.company;
  const days = (Date.parse(to) - Date.parse(from)) / day + 1;
  const before = { from: shifted(from, -days), to: shifted(from, -1) };
  return {
    from,
    to,
    group,
    timezone,
    range: rangeOf(from, to, timezone),
    previous: { ...before, range: rangeOf(before.from, before.to, timezone) },
  };
}

/** First days of all parts of a period, in order: its days, or the Mondays of its weeks. */
export function startsOf({ from, to, group }: Period): string[] {
  const starts: string[] = [];
  const step = group === 'week' ? 7 : 1;
  const sinceMonday = (new Date(from).getUTCDay() + 6) % 7;
  for (let at = group === 'week' ? shifted(from, -sinceMonday) : from; at <= to; at = shifted(at, step))
    starts.push(at);
  return starts;
}

function rangeOf(from: string, to: string, timezone: string): Range {
  const midnight = (date: string) => new Date(zonedMoment(date, '00:00', timezone, 'first'));
  return { from: midnight(from), to: midnight(shifted(to, 1)) };
}

function shifted(date: string, days: number): string {
  return new Date(Date.parse(date) + days * day).toISOString().slice(0, 10);
}
