import { UnstyledButton } from '@mantine/core';
import type { MouseEvent } from 'react';
import { inWords } from '../app/words.ts';
import type { Booking } from './bookings-page.tsx';
import { lanesOf, type Placed, placedOn } from './lanes.ts';
import { clock, momentIn, wallTime } from './zone.ts';

interface Props {
  bookings: readonly Booking[];
  days: readonly string[];
  zone: string;
  onOpen(id: string): void;
  /** Absent: nothing can be made here. */
  onCreate?: ((at: Date) => void) | undefined;
}

/** Height of an hour, in pixels. */
const hour = 48;
const weekday = new Intl.DateTimeFormat(undefined, { timeZone: 'UTC', weekday: 'short', day: 'numeric' });
const exact = new Map<string, Intl.DateTimeFormat>();

/** Days side by side with their hours. A free place starts a booking; so does the button above, for the keyboard. */
export function TimeGrid({ bookings, days, zone, onOpen, onCreate }: Props) {
  const placed = days.map((day) => lanesOf(placedOn(day, bookings, zone)));
  const all = placed.flat();
  // From early to late, wider where somebody is booked at night.
  const start = Math.floor(Math.min(8 * 60, ...all.map((one) => one.from)) / 60);
  const end = Math.ceil(Math.max(19 * 60, ...all.map((one) => one.to)) / 60);
  const hours = Array.from({ length: end - start }, (_, n) => start + n);
  const now = wallTime(new Date(), zone);
  const create = (day: string, event: MouseEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget) return;
    const { top } = event.currentTarget.getBoundingClientRect();
    const quarter = Math.floor((((event.clientY - top) / hour) * 60) / 15) * 15;
    onCreate?.(momentIn({ day, minutes: start * 60 + quarter }, zone));
  };
  return (
    <div className="grid" data-days={days.length} style={{ '--grid-days': days.length } as never}>
      <div className="grid-corner" />
      {days.map((day) => (
        <div key={day} className="grid-day" data-today={day === now.day || undefined}>
          {weekday.format(new Date(`${day}T00:00:00Z`))}
        </div>
      ))}
      <div className="grid-hours" aria-hidden>
        {hours.map((at) => (
          <div key={at} style={{ height: hour }}>
            {clock(at * 60)}
          </div>
        ))}
      </div>
      {days.map((day, index) => (
        // A pointer's way only: the button “New booking” is there for everybody.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
        <div
          key={day}
          className="grid-column"
          style={{ height: hours.length * hour, backgroundSize: `100% ${hour}px` }}
          onClick={onCreate && ((event) => create(day, event))}
        >
          {day === now.day && now.minutes >= start * 60 && now.minutes <= end * 60 && (
            <div className="grid-now" style={{ top: ((now.minutes - start * 60) / 60) * hour }} />
          )}
          {(placed[index] ?? []).map((one) => (
            <Event key={one.booking.id} placed={one} start={start * 60} zone={zone} onOpen={onOpen} />
          ))}
        </div>
      ))}
    </div>
  );
}

interface EventProps {
  placed: Placed;
  start: number;
  zone: string;
  onOpen(id: string): void;
}

function Event({ placed: { booking, from, to, lane, lanes }, start, zone, onOpen }: EventProps) {
  const { title, agent, status, contact } = booking;
  return (
    <UnstyledButton
      className="grid-event"
      data-status={status}
      data-short={to - from < 45 || undefined}
      style={{
        top: ((from - start) / 60) * hour,
        height: Math.max(26, ((to - from) / 60) * hour - 2),
        insetInlineStart: `calc(${(lane / lanes) * 100}% + 2px)`,
        width: `calc(${100 / lanes}% - 4px)`,
      }}
      onClick={() => onOpen(booking.id)}
    >
      <span className="grid-event-title">{title}</span>
      <span>
        {clock(from)} {contact?.name ?? agent.name}
      </span>
      <span className="visually-hidden">
        {inWords(status)}, with {agent.name}, {spoken(booking, zone)}
      </span>
    </UnstyledButton>
  );
}

/** Full date and zone, for those who do not see where it stands. */
export function spoken({ starts_at, ends_at }: Booking, zone: string): string {
  const format =
    exact.get(zone) ??
    new Intl.DateTimeFormat(undefined, {
      timeZone: zone,
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'short',
    });
  exact.set(zone, format);
  return format.formatRange(new Date(starts_at), new Date(ends_at));
}
