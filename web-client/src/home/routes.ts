import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../app/shell-route.ts';

export const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/home',
  component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
});
