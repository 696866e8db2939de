import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textIn, wordIn } from '../app/search-params.ts';
import { settingsRoute } from '../settings/routes.ts';

export const webhooksRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
});

/** `open` is the delivery that is shown. */
export const deliveriesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/webhooks/deliveries',
  validateSearch: (search: Record<string, unknown>) => ({
    endpoint: textIn(search, 'endpoint'),
    status: wordIn(search, 'status', ['pending', 'retrying', 'succeeded', 'exhausted', 'discarded']),
    open: textIn(search, 'open'),
  }),
  component: lazyRouteComponent(() => import('./deliveries-page.tsx'), 'DeliveriesPage'),
});
