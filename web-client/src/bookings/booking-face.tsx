import { t } from '@lingui/core/macro';
import { Status } from '../app/status.tsx';
import { inWords } from '../app/words.ts';
import type { Booking } from './bookings-page.tsx';
import type { BookingView } from './routes.ts';
import { spoken } from './spoken.ts';
import { bookingTone } from './words.ts';

interface Props {
  booking: Booking;
  /** As the calendar writes it. */
  time: string;
  short: boolean;
  view: BookingView;
  zone: string;
}

/** What stands on a booking in the calendar; all of it is its name, with the full date for those who do not see it. */
export function BookingFace({ booking, time, short, view, zone }: Props) {
  const { title, agent, status, contact, location } = booking;
  const whom = contact?.name ?? booking.attendee?.name ?? null;
  const said = t`${inWords(status)}, with ${agent.name}, ${spoken(booking, zone)}`;
  if (view === 'list')
    return (
      <span className="booking-row">
        <span className="booking-time" aria-hidden>
          {time}
        </span>
        <span>
          <span className="booking-title">{title}</span>
          <span className="booking-more">{[agent.name, whom, location].filter(Boolean).join(' · ')}</span>
        </span>
        <Status tone={bookingTone[status]}>{inWords(status)}</Status>
        <span className="visually-hidden">{said}</span>
      </span>
    );
  return (
    <span className="booking-face" data-short={short || view === 'month' || undefined}>
      <span className="booking-title">{title}</span>
      <span className="booking-time" aria-hidden>
        {time}
      </span>
      <span className="booking-more" aria-hidden>
        {[agent.name, whom].filter(Boolean).join(' · ')}
      </span>
      <span className="visually-hidden">{said}</span>
    </span>
  );
}
