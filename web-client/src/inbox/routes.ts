import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../app/shell-route.ts';
import { readSearch } from './search.ts';

export const inboxRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/inbox',
  validateSearch: readSearch,
  staticData: { fills: true },
  component: lazyRouteComponent(() => import('./inbox-page.tsx'), 'InboxPage'),
});
