import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { EventType } from '../../../schema/events.ts';
import { deliveryResults, deliveryStatuses } from '../../../schema/words.ts';
import { flagIn, textIn, wordIn } from '../app/search.ts';
import { settingsRoute } from '../settings/routes.ts';

export const webhooksRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
});

export interface DeliveriesSearch {
  endpoint?: string | undefined;
  status?: (typeof deliveryStatuses)[number] | undefined;
  type?: EventType | undefined;
  result?: (typeof deliveryResults)[number] | undefined;
  q?: string | undefined;
  /** Days of the reader's calendar, both included. */
  from?: string | undefined;
  to?: string | undefined;
  /** Whether the list follows what happens. */
  tail?: boolean | undefined;
  /** The delivery that is shown. */
  open?: string | undefined;
}

export const deliveriesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/webhooks/deliveries',
  validateSearch: (search): DeliveriesSearch => ({
    endpoint: textIn(search, 'endpoint'),
    status: wordIn(search, 'status', deliveryStatuses),
    // Whether there is such an event, the server says.
    type: textIn(search, 'type') as EventType | undefined,
    result: wordIn(search, 'result', deliveryResults),
    q: textIn(search, 'q'),
    from: textIn(search, 'from'),
    to: textIn(search, 'to'),
    tail: flagIn(search, 'tail'),
    open: textIn(search, 'open'),
  }),
  component: lazyRouteComponent(() => import('./deliveries-page.tsx'), 'DeliveriesPage'),
});
