import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textIn } from '../app/search-params.ts';
import { settingsRoute } from '../settings/routes.ts';

export const eventsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/events',
  validateSearch: (search: Record<string, unknown>) => ({ q: textIn(search, 'q') }),
  component: lazyRouteComponent(() => import('./events-page.tsx'), 'EventsPage'),
});
