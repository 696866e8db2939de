import { Stack, Text, UnstyledButton } from '@mantine/core';
import { Empty } from '../app/empty.tsx';
import { Section } from '../app/page.tsx';
import { Status } from '../app/status.tsx';
import { inWords } from '../app/words.ts';
import type { Booking } from './bookings-page.tsx';
import { placedOn } from './lanes.ts';
import { bookingTone } from './words.ts';
import { clock } from './zone.ts';

interface Props {
  bookings: readonly Booking[];
  days: readonly string[];
  zone: string;
  onOpen(id: string): void;
}

const heading = new Intl.DateTimeFormat(undefined, {
  timeZone: 'UTC',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
});

/** The week as a list, cancelled bookings included. */
export function BookingList({ bookings, days, zone, onOpen }: Props) {
  if (bookings.length === 0) return <Empty title="No bookings in this week">The week is free.</Empty>;
  return (
    <Stack gap="lg">
      {days.map((day) => {
        const rows = placedOn(day, bookings, zone);
        if (rows.length === 0) return null;
        return (
          <Section key={day} title={heading.format(new Date(`${day}T00:00:00Z`))}>
            <ul className="booking-list">
              {rows.map(({ booking, from, to }) => (
                <li key={booking.id}>
                  <span className="booking-time">
                    {clock(from)}–{clock(to)}
                  </span>
                  <div>
                    <UnstyledButton className="record-name" onClick={() => onOpen(booking.id)}>
                      {booking.title}
                    </UnstyledButton>
                    <Text size="sm" c="dimmed">
                      {[booking.agent.name, booking.contact?.name, booking.location]
                        .filter(Boolean)
                        .join(' · ')}
                    </Text>
                  </div>
                  <Status tone={bookingTone[booking.status]}>{inWords(booking.status)}</Status>
                </li>
              ))}
            </ul>
          </Section>
        );
      })}
    </Stack>
  );
}
