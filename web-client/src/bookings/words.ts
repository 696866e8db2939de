import type { BookingStatus } from '../../../schema/bookings.ts';
import type { Tone } from '../app/status.tsx';

export const bookingTone: Record<BookingStatus, Tone> = {
  pending: 'warning',
  confirmed: 'good',
  cancelled: 'neutral',
  completed: 'info',
  no_show: 'bad',
};
