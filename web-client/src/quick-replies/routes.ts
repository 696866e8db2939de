import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textIn } from '../app/search.ts';
import { shellRoute } from '../app/shell-route.ts';

export interface QuickRepliesSearch {
  q?: string | undefined;
  /** The reply that is edited, or `new`. */
  open?: string | undefined;
}

export const quickRepliesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/quick-replies',
  validateSearch: (search): QuickRepliesSearch => ({ q: textIn(search, 'q'), open: textIn(search, 'open') }),
  component: lazyRouteComponent(() => import('./quick-replies-page.tsx'), 'QuickRepliesPage'),
});
