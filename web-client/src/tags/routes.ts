import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textIn } from '../app/search.ts';
import { shellRoute } from '../app/shell-route.ts';

export interface TagsSearch {
  q?: string | undefined;
  /** The tag that is edited, or `new`. */
  open?: string | undefined;
}

export const tagsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tags',
  validateSearch: (search): TagsSearch => ({ q: textIn(search, 'q'), open: textIn(search, 'open') }),
  component: lazyRouteComponent(() => import('./tags-page.tsx'), 'TagsPage'),
});
