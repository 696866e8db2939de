import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { settingsRoute } from '../settings/routes.ts';

export const channelsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/channels',
  component: lazyRouteComponent(() => import('./channels-page.tsx'), 'ChannelsPage'),
});
