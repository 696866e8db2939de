import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { settingsRoute } from '../settings/routes.ts';

export const teamRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/team',
  component: lazyRouteComponent(() => import('./team-page.tsx'), 'TeamPage'),
});

export const rolesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/roles',
  component: lazyRouteComponent(() => import('./roles-page.tsx'), 'RolesPage'),
});
