import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { ActionIcon, Alert, Button, Group, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { lazy, Suspense, useMemo } from 'react';
import { bookingMaximum } from '../../../schema/words.ts';
import { useCan, useProfile } from '../account/use-profile.ts';
import { Empty } from '../app/empty.tsx';
import { failureOf } from '../app/failure.ts';
import { FailureAlert } from '../app/failure-alert.tsx';
import { currentMode } from '../app/mode.ts';
import { Page } from '../app/page.tsx';
import { useSetSearch } from '../app/search.ts';
import { type inferOutput, type trpc } from '../app/trpc.ts';
import { useCalmLoading } from '../app/use-calm-loading.ts';
import { Calendar } from './calendar.tsx';
import { GridSkeleton } from './grid-skeleton.tsx';
import { BookingFilters } from './filters.tsx';
import { bookingsRoute, type BookingsSearch, type BookingView } from './routes.ts';
import { Taken } from './taken.tsx';
import { daysOf, useCalendar } from './use-calendar.ts';
import { useMove } from './use-move.ts';
import { useBookingNews } from './use-news.ts';
import { addDays, isDay, isZone, wallTime, zoneName } from './zone.ts';
import '../app/record-kit.css';
import './bookings.css';
import { dateFormat } from '../language/formats.ts';

// The form is loaded behind the calendar.
const BookingDialog = lazy(async () => ({ default: (await import('./booking-dialog.tsx')).BookingDialog }));

export type Booking = inferOutput<typeof trpc.bookings.show>['data'];

/** The calendar of all agents. */
export function BookingsPage() {
  const { t } = useLingui();
  const live = currentMode() === 'live';
  const search = bookingsRoute.useSearch();
  const setSearch = useSetSearch<BookingsSearch>();
  const zone = useZone(search.zone);
  const manages = useCan()('calendar.manage') && live;
  const narrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const view = search.view ?? (narrow ? 'day' : 'week');
  const grid = view === 'week' || view === 'day';
  const second = grid && search.second !== undefined && isZone(search.second) ? search.second : undefined;
  const day = search.day && isDay(search.day) ? search.day : wallTime(new Date(), zone).day;
  const days = useMemo(() => daysOf(view, day), [view, day]);
  const chosen = useMemo(() => (search.agent ?? '').split(',').filter(Boolean), [search.agent]);
  const shown = useCalendar({ view, days, zone, chosen, night: search.night === true });
  const { query, from, to, lanes, bookings } = shown;
  const missing = query.data === undefined && query.error === null;
  const skeleton = useCalmLoading(missing);
  const { move, refusedMove, forget } = useMove(shown.range);
  const { moved, said } = useBookingNews(zone, live);
  const create = (start?: Date, end?: Date) =>
    setSearch({ open: 'new', at: start?.toISOString(), until: end?.toISOString() }, 'push');
  return (
    <Page
      title={t`Bookings`}
      description={timesIn(zone, second, from)}
      actions={
        manages && (
          <Button onClick={() => create()}>
            <Trans>New booking</Trans>
          </Button>
        )
      }
    >
      {!live && (
        <Alert title={t`Bookings have no sandbox`}>
          <Trans>This is the live calendar, to look at. Switch to live mode to change it.</Trans>
        </Alert>
      )}
      <Steps view={view} day={day} days={days} />
      <BookingFilters search={search} view={view} zone={zone} lanes={lanes} chosen={chosen} />
      <ClockChange zone={zone} from={from} to={to} />
      {second !== undefined && <ClockChange zone={second} from={from} to={to} />}
      {refusedMove && (
        <Taken
          {...refusedMove}
          agent={refusedMove.booking.agent.name}
          zone={zone}
          onClose={forget}
          onTake={(free) =>
            move(refusedMove.booking, free, new Date(free.getTime() + refusedMove.minutes * 60_000))
          }
        />
      )}
      {query.error !== null && (
        <FailureAlert failure={failureOf(query.error)} retry={() => void query.refetch()} />
      )}
      {(query.data?.data.length ?? 0) >= bookingMaximum && (
        <Alert title={t`Only the first ${bookingMaximum} bookings are shown`}>
          <Trans>Choose a shorter time to see them all.</Trans>
        </Alert>
      )}
      {query.data && bookings.length === 0 && (
        <NoBookings filtered={chosen.length > 0} onCreate={manages ? () => create() : undefined} />
      )}
      {query.data && !skeleton ? (
        <Calendar
          {...{ bookings, lanes, view, day, zone, second, moved }}
          hours={shown.hours}
          open={shown.open}
          busy={shown.busy}
          {...(manages && { manage: { create, move } })}
          onOpen={(id) => setSearch({ open: id }, 'push')}
          onDay={(one) => setSearch({ view: 'day', day: one }, 'push')}
        />
      ) : (
        (missing || skeleton) && <GridSkeleton columns={view === 'day' ? 1 : 7} shown={skeleton} />
      )}
      <div className="visually-hidden" role="status">
        {said}
      </div>
      <Suspense fallback={null}>
        <BookingDialog
          id={search.open === 'new' && !manages ? undefined : search.open}
          at={search.at}
          until={search.until}
          agent={chosen.length === 1 ? chosen[0] : undefined}
          contact={search.contact}
          zone={zone}
          onClose={() => setSearch({ open: undefined, at: undefined, until: undefined, contact: undefined })}
        />
      </Suspense>
    </Page>
  );
}

const heading = dateFormat({ timeZone: 'UTC', dateStyle: 'long' });
const month = dateFormat({ timeZone: 'UTC', month: 'long', year: 'numeric' });

const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);

function Steps({ view, day, days }: { view: BookingView; day: string; days: readonly string[] }) {
  const { t } = useLingui();
  const setSearch = useSetSearch<BookingsSearch>();
  const step = (count: number) =>
    setSearch({ day: view === 'month' ? monthAfter(day, count) : addDays(day, count * days.length) });
  const title =
    view === 'month'
      ? month.format(dateOf(day))
      : heading.formatRange(dateOf(days[0] ?? day), dateOf(days.at(-1) ?? day));
  return (
    <Group gap="xs">
      <ActionIcon variant="default" size={36} aria-label={t`Earlier`} onClick={() => step(-1)}>
        <ChevronLeft size={18} aria-hidden className="booking-step" />
      </ActionIcon>
      <ActionIcon variant="default" size={36} aria-label={t`Later`} onClick={() => step(1)}>
        <ChevronRight size={18} aria-hidden className="booking-step" />
      </ActionIcon>
      <Button variant="default" onClick={() => setSearch({ day: undefined })}>
        <Trans>Today</Trans>
      </Button>
      <Text fw={600} component="h2" aria-live="polite">
        {title}
      </Text>
    </Group>
  );
}

/** The first of the month that comes so many months later. */
function monthAfter(day: string, count: number): string {
  const date = dateOf(`${day.slice(0, 8)}01`);
  date.setUTCMonth(date.getUTCMonth() + count);
  return date.toISOString().slice(0, 10);
}

function ClockChange({ zone, from, to }: { zone: string; from: Date; to: Date }) {
  const { t } = useLingui();
  const [before, after] = [zoneName(zone, from), zoneName(zone, to)];
  if (before === after) return null;
  return (
    <Alert title={t`The clocks are changed in these days`}>
      {t`From ${before} to ${after} in ${zone.replaceAll('_', ' ')}.`}
    </Alert>
  );
}

function NoBookings({ filtered, onCreate }: { filtered: boolean; onCreate: (() => void) | undefined }) {
  const { t } = useLingui();
  const setSearch = useSetSearch<BookingsSearch>();
  if (filtered)
    return (
      <Empty
        title={t`No bookings of these agents`}
        action={
          <Button variant="default" onClick={() => setSearch({ agent: undefined })}>
            <Trans>Clear filters</Trans>
          </Button>
        }
      >
        <Trans>In this time, others may have some.</Trans>
      </Empty>
    );
  return (
    <Empty
      title={t`No bookings yet in this time`}
      action={
        onCreate && (
          <Button variant="default" onClick={onCreate}>
            <Trans>Make a booking</Trans>
          </Button>
        )
      }
    >
      <Trans>It is all free.</Trans>
    </Empty>
  );
}

/** Which zone the hours are of. */
function timesIn(zone: string, second: string | undefined, at: Date): string {
  const named = (one: string) => `${one.replaceAll('_', ' ')} (${zoneName(one, at)})`;
  if (second === undefined) return t`Times in ${named(zone)}`;
  return t`Times in ${named(zone)}, in the second column in ${named(second)}`;
}

/** The zone of the address, else the agent's own, else the browser's. */
function useZone(asked: string | undefined): string {
  const { timezone } = useProfile();
  const wanted = asked ?? timezone;
  return wanted && isZone(wanted) ? wanted : Intl.DateTimeFormat().resolvedOptions().timeZone;
}
