import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { type Search, textIn } from '../app/search-params.ts';
import { settingsRoute } from '../settings/routes.ts';

export const auditRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/audit',
  validateSearch: (
    search: Record<string, unknown>,
  ): Search<Record<'actor' | 'resource' | 'from' | 'to', string>> => ({
    actor: textIn(search, 'actor'),
    resource: textIn(search, 'resource'),
    from: textIn(search, 'from'),
    to: textIn(search, 'to'),
  }),
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
});
