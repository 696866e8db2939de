import { ActionIcon, Alert, Button, Group, NativeSelect, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useCan, useProfile } from '../account/use-profile.ts';
import { FilterSelect } from '../app/filter-select.tsx';
import { currentMode } from '../app/mode.ts';
import { Page } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { useSetSearch } from '../app/search.ts';
import { type inferOutput, trpc } from '../app/trpc.ts';
import { inWords } from '../app/words.ts';
import { BookingDialog } from './booking-dialog.tsx';
import { BookingList } from './booking-list.tsx';
import { bookingsRoute, type BookingsSearch, bookingViews } from './routes.ts';
import { TimeGrid } from './time-grid.tsx';
import { addDays, isDay, momentIn, wallTime, weekStart, zoneName } from './zone.ts';
import '../app/record-kit.css';
import '../app/record-table.css';
import './bookings.css';

export type Booking = inferOutput<typeof trpc.bookings.show>['data'];

const heading = new Intl.DateTimeFormat(undefined, { timeZone: 'UTC', dateStyle: 'long' });

/** The calendar of all agents. */
export function BookingsPage() {
  const search = bookingsRoute.useSearch();
  const setSearch = useSetSearch<BookingsSearch>();
  const zone = useZone(search.zone);
  const manages = useCan()('calendar.manage');
  const narrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const test = currentMode() === 'test';
  const view = search.view ?? (narrow ? 'day' : 'week');
  const day = search.day && isDay(search.day) ? search.day : wallTime(new Date(), zone).day;
  const first = view === 'day' ? day : weekStart(day);
  const days = Array.from({ length: view === 'day' ? 1 : 7 }, (_, n) => addDays(first, n));
  const from = momentIn({ day: first, minutes: 0 }, zone);
  const to = momentIn({ day: addDays(first, days.length), minutes: 0 }, zone);
  const query = useQuery(
    trpc.bookings.list.queryOptions(
      { from: from.toISOString(), to: to.toISOString() },
      { enabled: !test, placeholderData: keepPreviousData },
    ),
  );
  const agents = useQuery(trpc.agents.list.queryOptions({}));
  const shown = (rows: readonly Booking[]) =>
    rows.filter(({ agent_email, status }) => {
      const wanted = search.agent === undefined || agent_email === search.agent;
      return wanted && (view === 'list' || status !== 'cancelled');
    });
  const open = (id: string) => setSearch({ open: id }, 'push');
  const create = (at?: Date) => setSearch({ open: 'new', at: at?.toISOString() }, 'push');
  const step = (count: number) => setSearch({ day: addDays(day, count * days.length) });
  const title =
    days.length === 1
      ? heading.format(new Date(`${first}T00:00:00Z`))
      : heading.formatRange(new Date(`${first}T00:00:00Z`), new Date(`${days.at(-1) ?? first}T00:00:00Z`));
  return (
    <Page
      title="Bookings"
      description={`Times in ${zone.replaceAll('_', ' ')} (${zoneName(zone, from)}).`}
      actions={manages && !test && <Button onClick={() => create()}>New booking</Button>}
    >
      {test && (
        <Alert title="Bookings have no sandbox">
          There is one calendar, and it is live. Switch to live mode to see it.
        </Alert>
      )}
      {!test && (
        <>
          <Group gap="xs">
            <ActionIcon variant="default" size={36} aria-label="Earlier" onClick={() => step(-1)}>
              <ChevronLeft size={18} aria-hidden />
            </ActionIcon>
            <ActionIcon variant="default" size={36} aria-label="Later" onClick={() => step(1)}>
              <ChevronRight size={18} aria-hidden />
            </ActionIcon>
            <Button variant="default" onClick={() => setSearch({ day: undefined })}>
              Today
            </Button>
            <Text fw={600} component="h2" aria-live="polite">
              {title}
            </Text>
          </Group>
          <search className="record-filters">
            <NativeSelect
              aria-label="View"
              value={view}
              data={bookingViews.map((word) => ({ value: word, label: inWords(word) }))}
              onChange={(event) => {
                const word = event.currentTarget.value;
                setSearch({ view: bookingViews.find((known) => known === word) });
              }}
            />
            <FilterSelect
              label="Agent"
              all="All agents"
              options={(agents.data?.data ?? []).map(({ email, name }) => ({ value: email, label: name }))}
              value={search.agent}
              onChange={(agent) => setSearch({ agent })}
            />
            <ZoneSelect zone={zone} onChange={(chosen) => setSearch({ zone: chosen })} />
          </search>
          {zoneName(zone, from) !== zoneName(zone, to) && (
            <Alert title="The clocks are changed in these days">
              From {zoneName(zone, from)} to {zoneName(zone, to)} in {zone.replaceAll('_', ' ')}.
            </Alert>
          )}
          <QueryState query={query} rows={12}>
            {({ data }) =>
              view === 'list' ? (
                <BookingList bookings={shown(data)} days={days} zone={zone} onOpen={open} />
              ) : (
                <TimeGrid
                  bookings={shown(data)}
                  days={days}
                  zone={zone}
                  onOpen={open}
                  onCreate={manages ? create : undefined}
                />
              )
            }
          </QueryState>
          <BookingDialog
            id={search.open}
            at={search.at}
            contact={search.contact}
            zone={zone}
            onClose={() => setSearch({ open: undefined, at: undefined, contact: undefined })}
          />
        </>
      )}
    </Page>
  );
}

/** The zone of the address, else the agent's own, else the browser's. */
function useZone(asked: string | undefined): string {
  const { timezone } = useProfile();
  const browser = Intl.DateTimeFormat().resolvedOptions().timeZone;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: asked ?? timezone ?? browser }).resolvedOptions()
      .timeZone;
  } catch {
    return browser;
  }
}

const zones = Intl.supportedValuesOf('timeZone');

function ZoneSelect({ zone, onChange }: { zone: string; onChange(zone: string): void }) {
  const all = zones.includes(zone) ? zones : [zone, ...zones];
  return (
    <NativeSelect
      aria-label="Time zone"
      value={zone}
      data={all.map((name) => ({ value: name, label: name.replaceAll('_', ' ') }))}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
