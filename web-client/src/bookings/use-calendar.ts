import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { trpc } from '../app/trpc.ts';
import type { Booking } from './bookings-page.tsx';
import { openHours } from './business-hours.ts';
import { lanesOf } from './lanes.ts';
import type { BookingView } from './routes.ts';
import { addDays, momentIn, wallTime, weekStart } from './zone.ts';

/** Busy times are asked for of so many agents at most; each is a request of its own. */
const busyAgents = 8;

/** The days that a view shows around a day. */
export function daysOf(view: BookingView, day: string): string[] {
  if (view === 'day') return [day];
  const first = weekStart(view === 'month' ? `${day.slice(0, 8)}01` : day);
  return Array.from({ length: view === 'month' ? 42 : 7 }, (_, n) => addDays(first, n));
}

interface Shown {
  view: BookingView;
  days: readonly string[];
  zone: string;
  /** E-mails of the agents that are shown; empty for all. */
  chosen: readonly string[];
  /** All hours of a day. */
  night: boolean;
}

/** All that the calendar draws: bookings, people, hours in which it is open, busy times of those that were chosen. */
export function useCalendar({ view, days, zone, chosen, night }: Shown) {
  const first = days[0] ?? '';
  const from = momentIn({ day: first, minutes: 0 }, zone);
  const to = momentIn({ day: addDays(first, days.length), minutes: 0 }, zone);
  const range = { from: from.toISOString(), to: to.toISOString() };
  const query = useQuery(trpc.bookings.list.queryOptions(range, { placeholderData: keepPreviousData }));
  const agents = useQuery(trpc.agents.list.queryOptions({}));
  const company = useQuery(trpc.company.show.queryOptions({}));
  const all = query.data?.data;
  const people = agents.data?.data;
  const lanes = useMemo(
    () =>
      lanesOf(
        (people ?? []).filter((one) => one.deactivated_at === null),
        all ?? [],
      ),
    [people, all],
  );
  const bookings = useMemo(
    () =>
      (all ?? []).filter(({ agent_email, status }) => {
        const wanted = chosen.length === 0 || chosen.includes(agent_email);
        return wanted && (view === 'list' || status !== 'cancelled');
      }),
    [all, chosen, view],
  );
  const grid = view === 'week' || view === 'day';
  const asked = grid ? lanes.filter(({ email }) => chosen.includes(email)).slice(0, busyAgents) : [];
  const busy = useQueries({
    queries: asked.map(({ email }) =>
      trpc.bookings.availability.queryOptions({ agent_email: email, ...range }),
    ),
    combine: (answers) =>
      answers.flatMap(({ data }, n) => {
        const name = asked[n]?.name ?? '';
        return (data?.busy ?? []).map((slot) => ({ ...slot, name }));
      }),
  });
  const hours = company.data?.data.business_hours ?? null;
  const companyZone = company.data?.data.timezone ?? zone;
  const open = useMemo(
    () => (grid ? openHours(hours, companyZone, days, zone) : null),
    [grid, hours, companyZone, days, zone],
  );
  const drawn = night ? { from: 0, to: 24 } : drawnHours(bookings, open ?? [], zone);
  return { query, range, from, to, lanes, bookings, busy, open, hours: drawn };
}

/** From early to late, wider where the company is open or somebody is booked. */
function drawnHours(
  bookings: readonly Booking[],
  open: readonly { startTime: string; endTime: string }[],
  zone: string,
): { from: number; to: number } {
  let [from, to] = [8, 19];
  const take = (start: number, end: number) => {
    from = Math.min(from, Math.floor(start));
    to = Math.max(to, Math.ceil(end));
  };
  for (const { startTime, endTime } of open) take(hour(startTime), hour(endTime));
  for (const { starts_at, ends_at } of bookings) {
    const [start, end] = [wallTime(new Date(starts_at), zone), wallTime(new Date(ends_at), zone)];
    if (start.day === end.day) take(start.minutes / 60, end.minutes / 60);
    else take(end.minutes === 0 ? start.minutes / 60 : 0, 24);
  }
  return { from, to };
}

const hour = (text: string) => Number(text.slice(0, 2)) + Number(text.slice(3, 5)) / 60;
