import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../app/shell-route.ts';
import { filtersOf, readSearch } from './search.ts';

export const inboxRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/inbox',
  validateSearch: readSearch,
  staticData: { fills: true },
  loaderDeps: ({ search }) => filtersOf(search),
  // The list is on its way while the page still is.
  loader: ({ deps }) => {
    void import('../realtime/list-cache.ts').then(({ prefetchList }) => prefetchList(deps));
  },
  component: lazyRouteComponent(() => import('./inbox-page.tsx'), 'InboxPage'),
});
