import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { flagIn, textIn, wordIn } from '../app/search.ts';
import { shellRoute } from '../app/shell-route.ts';

export const bookingViews = ['week', 'day', 'month', 'list'] as const;
export type BookingView = (typeof bookingViews)[number];

export interface BookingsSearch {
  /** `2026-03-29`; today unless given. */
  day?: string | undefined;
  view?: BookingView | undefined;
  /** E-mails of the agents that are shown, separated by commas; all unless given. */
  agent?: string | undefined;
  /** IANA zone that times are shown in. */
  zone?: string | undefined;
  /** IANA zone of a second column of hours. */
  second?: string | undefined;
  /** All hours of a day, not only those in which there is something. */
  night?: boolean | undefined;
  /** The booking that is open, or `new`. */
  open?: string | undefined;
  /** When a new one is to start and to end. */
  at?: string | undefined;
  until?: string | undefined;
  /** With whom it is to be, an id. */
  contact?: string | undefined;
}

export const bookingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/bookings',
  validateSearch: (search): BookingsSearch => ({
    day: textIn(search, 'day'),
    view: wordIn(search, 'view', bookingViews),
    agent: textIn(search, 'agent'),
    zone: textIn(search, 'zone'),
    second: textIn(search, 'second'),
    night: flagIn(search, 'night'),
    open: textIn(search, 'open'),
    at: textIn(search, 'at'),
    until: textIn(search, 'until'),
    contact: textIn(search, 'contact'),
  }),
  component: lazyRouteComponent(() => import('./bookings-page.tsx'), 'BookingsPage'),
});
