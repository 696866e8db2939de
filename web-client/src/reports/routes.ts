import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textIn, wordIn } from '../app/search-params.ts';
import { shellRoute } from '../app/shell-route.ts';

/** `metric` and what narrows it open the conversations behind a figure. */
export const reportsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/reports',
  validateSearch: (search: Record<string, unknown>) => ({
    from: textIn(search, 'from'),
    to: textIn(search, 'to'),
    group: wordIn(search, 'group', ['day', 'week']),
    metric: wordIn(search, 'metric', [
      'opened',
      'received',
      'sent',
      'closed',
      'first_response',
      'resolution',
      'rating',
      'campaign_orders',
    ]),
    agent: textIn(search, 'agent'),
    tag: textIn(search, 'tag'),
    campaign: textIn(search, 'campaign'),
    rating: typeof search['rating'] === 'number' ? search['rating'] : undefined,
  }),
  component: lazyRouteComponent(() => import('./reports-page.tsx'), 'ReportsPage'),
});
