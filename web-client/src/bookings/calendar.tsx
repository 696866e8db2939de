import { useLingui } from '@lingui/react/macro';
import FullCalendar, {
  type CalendarRef,
  type DateSelectInfo,
  type EventApi,
  type EventChangeInfo,
  type SlotHeaderInfo,
} from '@fullcalendar/react';
import dayGrid from '@fullcalendar/react/daygrid';
import interaction from '@fullcalendar/react/interaction';
import listing from '@fullcalendar/react/list';
import theme from '@fullcalendar/react/themes/classic';
import timeGrid from '@fullcalendar/react/timegrid';
import { useEffect, useMemo, useRef } from 'react';
import type { Booking } from './bookings-page.tsx';
import { BookingFace } from './booking-face.tsx';
import type { OpenHours } from './business-hours.ts';
import type { Lane } from './lanes.ts';
import type { Busy } from './next-free.ts';
import type { BookingView } from './routes.ts';
import { dateFormat, type DateFormat } from '../language/formats.ts';
import { clock, momentIn, wallTime } from './zone.ts';
import '@fullcalendar/react/skeleton.css';
import '@fullcalendar/react/themes/classic/theme.css';
import './calendar.css';

interface Props {
  bookings: readonly Booking[];
  lanes: readonly Lane[];
  view: BookingView;
  /** In what is shown; the first of a week or a month is found from it. */
  day: string;
  zone: string;
  /** Zone of a second column of hours. */
  second: string | undefined;
  /** First and last hour that are drawn. */
  hours: { from: number; to: number };
  open: readonly OpenHours[] | null;
  /** Times at which somebody can't be booked. */
  busy: readonly (Busy & { name: string })[];
  /** Those that somebody else has just moved. */
  moved: ReadonlySet<string>;
  /** Absent: nothing can be made or moved here. */
  manage?: { create(start: Date, end?: Date): void; move(booking: Booking, start: Date, end: Date): void };
  onOpen(id: string): void;
  onDay(day: string): void;
}

const names: Record<BookingView, string> = {
  week: 'timeGridWeek',
  day: 'timeGridDay',
  month: 'dayGridMonth',
  list: 'listWeek',
};
const plugins = [dayGrid, timeGrid, listing, interaction, theme];
/** A place that was clicked, not drawn over. */
const clicked = 15 * 60_000;
const time = { hour: '2-digit', minute: '2-digit' } as const;

/** Bookings by day and hour. All that the pointer does here, the form does for the keyboard. */
export function Calendar(props: Props) {
  const { t } = useLingui();
  const { bookings, lanes, view, day, zone, second, hours, open, busy, moved, manage, onOpen, onDay } = props;
  const calendar = useRef<CalendarRef>(null);
  const shown = useRef({ view, day });
  useEffect(() => {
    if (shown.current.view === view && shown.current.day === day) return;
    shown.current = { view, day };
    const api = calendar.current?.getApi();
    // Not while React draws: the calendar draws at once.
    queueMicrotask(() => api?.changeView(names[view], day));
  }, [view, day]);
  const hour = useMemo(() => dateFormat({ ...time, timeZone: zone }), [zone]);
  const events = useMemo(() => {
    const colours = new Map(lanes.map(({ email, colour }) => [email, colour]));
    return [
      ...bookings.map((booking) => ({
        id: booking.id,
        title: booking.title,
        start: booking.starts_at,
        end: booking.ends_at,
        editable: manage !== undefined && (booking.status === 'pending' || booking.status === 'confirmed'),
        lane: colours.get(booking.agent_email) ?? 0,
        booking,
      })),
      ...busy.map(({ starts_at, ends_at, name }) => ({
        start: starts_at,
        end: ends_at,
        title: t`${name} is busy`,
        display: 'background',
        editable: false,
      })),
    ];
  }, [bookings, lanes, busy, manage === undefined]);
  const change = ({ event }: EventChangeInfo, edge: 'end' | null) => {
    const { start, end } = event;
    if (!start) return;
    const booking = event.extendedProps['booking'] as Booking;
    const duration = Date.parse(booking.ends_at) - Date.parse(booking.starts_at);
    // One that is moved takes as long as before, also over a change of clocks.
    manage?.move(booking, start, (edge && end) || new Date(start.getTime() + duration));
  };
  const selected = ({ start, end, allDay, startStr, view: shown }: DateSelectInfo) => {
    shown.calendar.unselect();
    // A day of a month says no hour.
    const at = allDay ? momentIn({ day: startStr.slice(0, 10), minutes: 9 * 60 }, zone) : start;
    const drawn = !allDay && end.getTime() - start.getTime() > clicked;
    manage?.create(at, drawn ? end : undefined);
  };
  return (
    <div className="calendar" data-view={view}>
      <FullCalendar
        ref={calendar}
        plugins={plugins}
        initialView={names[view]}
        initialDate={day}
        timeZone={zone}
        locale={Intl.DateTimeFormat().resolvedOptions().locale}
        direction={document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'}
        firstDay={1}
        headerToolbar={false}
        height="auto"
        allDaySlot={false}
        nowIndicator
        eventColor="var(--lane)"
        slotEventOverlap={false}
        // What is dragged steps by lines: steps that are finer than lines are off by one.
        slotDuration="00:15:00"
        slotMinHeight={14}
        slotHeaderInterval="01:00:00"
        slotLaneClass={quarter}
        slotHeaderClass={quarter}
        slotHeaderInnerClass="calendar-hour"
        slotMinTime={`${clock(hours.from * 60)}:00`}
        slotMaxTime={`${clock(hours.to * 60)}:00`}
        slotHeaderFormat={time}
        eventMinHeight={26}
        eventShortHeight={40}
        eventOrder="lane,start,title"
        dayMaxEvents={3}
        moreLinkClick={({ date }) => {
          onDay(wallTime(date, zone).day);
        }}
        {...(open && { businessHours: [...open] })}
        {...(second !== undefined && {
          slotHeaderContent: (info: SlotHeaderInfo) => <TwoTimes info={info} {...{ day, zone, second }} />,
        })}
        events={events}
        eventClass={({ event }) => {
          const booking = event.extendedProps['booking'] as Booking | undefined;
          if (!booking) return event.display === 'background' ? 'booking-busy' : '';
          const lane = String(event.extendedProps['lane']);
          return `booking-event booking-lane-${lane} booking-${booking.status} ${moved.has(booking.id) ? 'booking-moved' : ''}`;
        }}
        // Its own text of two times takes longer than all the rest of a booking.
        displayEventTime={false}
        eventContent={({ event, isShort }) => {
          const booking = event.extendedProps['booking'] as Booking | undefined;
          const time = timeText(event, view, hour);
          return booking ? (
            <BookingFace booking={booking} time={time} short={isShort} view={view} zone={zone} />
          ) : (
            <span className="visually-hidden">{event.title}</span>
          );
        }}
        eventClick={({ event }) => event.id !== '' && onOpen(event.id)}
        selectable={manage !== undefined}
        selectMirror
        select={selected}
        eventDrop={(info) => change(info, null)}
        eventResize={(info) => change(info, 'end')}
      />
    </div>
  );
}

/** Where it stands, also while it is dragged. */
function timeText(
  { start, end }: Pick<EventApi, 'start' | 'end'>,
  view: BookingView,
  hour: DateFormat,
): string {
  const times = view === 'month' ? [start] : [start, end];
  return times.flatMap((at) => (at ? hour.format(at) : [])).join('–');
}

/** Only half hours have lines. */
function quarter({ time: at }: { time?: { milliseconds: number } }): string {
  return (at?.milliseconds ?? 0) % 1_800_000 === 0 ? '' : 'calendar-quarter';
}

interface TwoTimesProps {
  info: SlotHeaderInfo;
  day: string;
  zone: string;
  second: string;
}

/** The hour in the zone that is shown, and in a second one. */
function TwoTimes({ info, day, zone, second }: TwoTimesProps) {
  const minutes = (info.time?.milliseconds ?? 0) / 60_000;
  return (
    <span className="calendar-two-times">
      <span>{info.text}</span>
      <span>{clock(wallTime(momentIn({ day, minutes }, zone), second).minutes)}</span>
    </span>
  );
}
