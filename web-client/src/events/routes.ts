import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { type Search, textIn } from '../app/search-params.ts';
import { settingsRoute } from '../settings/routes.ts';

export const eventsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/events',
  validateSearch: (search: Record<string, unknown>): Search<{ q: string }> => ({ q: textIn(search, 'q') }),
  component: lazyRouteComponent(() => import('./events-page.tsx'), 'EventsPage'),
});
