import { t } from '@lingui/core/macro';
import type { inferOutput, trpc } from '../app/trpc.ts';
import { dateFormat, type NumberFormat, numberFormat } from '../language/formats.ts';

export type Figure = inferOutput<typeof trpc.reports.volume>['data']['figures'][number];
export type Summary = Figure['total'];
export type Metric = Figure['metric'];

export const titles: Record<Metric, string> = {
  get opened() {
    return t`New conversations`;
  },
  get received() {
    return t`Messages received`;
  },
  get sent() {
    return t`Messages sent`;
  },
  get closed() {
    return t`Conversations closed`;
  },
  get first_response() {
    return t`First response`;
  },
  get resolution() {
    return t`Time to close`;
  },
  get rating() {
    return t`Ratings`;
  },
  get campaign_orders() {
    return t`Orders of campaigns`;
  },
};

const definitions: Readonly<Record<Metric, string>> = {
  get opened() {
    return t`Conversations begun in the period in which the customer has written.`;
  },
  get received() {
    return t`Messages of customers.`;
  },
  get sent() {
    return t`Messages of agents, programs and AI to customers; no campaigns, and nothing that waits or was cancelled.`;
  },
  get closed() {
    return t`Closings of conversations; one that is closed twice counts twice.`;
  },
  get first_response() {
    return t`From the customer’s first message to the first answer, by the clock, for conversations begun in the period. Those that have no answer yet are left out.`;
  },
  get resolution() {
    return t`From the opening of a conversation, or its reopening, to its closing in the period, by the clock.`;
  },
  get rating() {
    return t`Ratings of 1 to 5 given in the period; a rating that was changed counts as it is now.`;
  },
  get campaign_orders() {
    return t`Orders within 7 days of a campaign’s message in their conversation, as long as they are not cancelled or returned; amounts in the company’s currency.`;
  },
};

/** What is counted or measured, in a sentence. */
export function definitionOf(metric: Metric): string {
  return definitions[metric];
}

const whole = numberFormat();
const fraction = numberFormat({ minimumFractionDigits: 1, maximumFractionDigits: 1 });

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

/** `45 sec`, `12 min`, `3 hr 5 min`, `2 days 4 hr`. */
export function duration(seconds: number): string {
  if (seconds < 60) return inSeconds.format(Math.round(seconds));
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return inMinutes.format(minutes);
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return join(inHours.format(hours), minutes % 60, inMinutes);
  return join(inDays.format(Math.floor(hours / 24)), hours % 24, inHours);
}

function join(first: string, rest: number, unit: NumberFormat): string {
  return rest === 0 ? first : `${first} ${unit.format(rest)}`;
}

function inUnit(unit: string): NumberFormat {
  return numberFormat({ style: 'unit', unit, unitDisplay: 'short' });
}

const inSeconds = inUnit('second');
const inMinutes = inUnit('minute');
const inHours = inUnit('hour');
const inDays = inUnit('day');

const change = numberFormat({ style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' });

/** The change from before, in percent; null when there is nothing to compare with. */
export function changeOf(now: number | null, before: number | null): string | null {
  if (now === null || before === null || before === 0) return null;
  return change.format((now - before) / before);
}

export function money(minor: number, currency: string): string {
  const format = numberFormat({ style: 'currency', currency });
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  return format.format(minor / 10 ** maximumFractionDigits);
}

const dayFormat = dateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A date of a report, which has no time of day. */
export function dayOf(date: string): string {
  return dayFormat.format(new Date(date));
}
