import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textIn, wordIn } from '../app/search.ts';
import { shellRoute } from '../app/shell-route.ts';

export const bookingViews = ['week', 'day', 'list'] as const;

export interface BookingsSearch {
  /** `2026-03-29`; today unless given. */
  day?: string | undefined;
  view?: (typeof bookingViews)[number] | undefined;
  /** E-mail of an agent. */
  agent?: string | undefined;
  /** IANA zone that times are shown in. */
  zone?: string | undefined;
  /** The booking that is open, or `new`. */
  open?: string | undefined;
  /** When a new one is to start. */
  at?: string | undefined;
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
    open: textIn(search, 'open'),
    at: textIn(search, 'at'),
    contact: textIn(search, 'contact'),
  }),
  component: lazyRouteComponent(() => import('./bookings-page.tsx'), 'BookingsPage'),
});
