import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { type Search, textIn, wordIn } from '../app/search-params.ts';
import { shellRoute } from '../app/shell-route.ts';

const metrics = [
  'opened',
  'received',
  'sent',
  'closed',
  'first_response',
  'resolution',
  'rating',
  'campaign_orders',
] as const;

interface ReportSearch {
  from: string;
  to: string;
  group: 'day' | 'week';
  metric: (typeof metrics)[number];
  agent: string;
  tag: string;
  campaign: string;
  rating: number;
}

/** `metric` and what narrows it open the conversations behind a figure. */
export const reportsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/reports',
  validateSearch: (search: Record<string, unknown>): Search<ReportSearch> => ({
    from: textIn(search, 'from'),
    to: textIn(search, 'to'),
    group: wordIn(search, 'group', ['day', 'week']),
    metric: wordIn(search, 'metric', metrics),
    agent: textIn(search, 'agent'),
    tag: textIn(search, 'tag'),
    campaign: textIn(search, 'campaign'),
    rating: typeof search['rating'] === 'number' ? search['rating'] : undefined,
  }),
  component: lazyRouteComponent(() => import('./reports-page.tsx'), 'ReportsPage'),
});
