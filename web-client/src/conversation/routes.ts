import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../app/shell-route.ts';

/** The permalink of a conversation. */
export const conversationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/conversations/$conversationId',
  component: lazyRouteComponent(() => import('./conversation-page.tsx'), 'ConversationPage'),
});
