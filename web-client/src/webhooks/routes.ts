import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { type Search, textIn, wordIn } from '../app/search-params.ts';
import { settingsRoute } from '../settings/routes.ts';

export const webhooksRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
});

const deliveryStatuses = ['pending', 'retrying', 'succeeded', 'exhausted', 'discarded'] as const;
type DeliveryStatus = (typeof deliveryStatuses)[number];

/** `open` is the delivery that is shown. */
export const deliveriesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/webhooks/deliveries',
  validateSearch: (
    search: Record<string, unknown>,
  ): Search<{ endpoint: string; status: DeliveryStatus; open: string }> => ({
    endpoint: textIn(search, 'endpoint'),
    status: wordIn(search, 'status', deliveryStatuses),
    open: textIn(search, 'open'),
  }),
  component: lazyRouteComponent(() => import('./deliveries-page.tsx'), 'DeliveriesPage'),
});
