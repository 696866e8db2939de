import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textIn } from '../app/search.ts';
import { shellRoute } from '../app/shell-route.ts';

interface ConversationSearch {
  /** The entry that is shown first. */
  entry?: string | undefined;
}

/** The permalink of a conversation. */
export const conversationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/conversations/$conversationId',
  validateSearch: (search): ConversationSearch => ({ entry: textIn(search, 'entry') }),
  component: lazyRouteComponent(() => import('./conversation-page.tsx'), 'ConversationPage'),
});
