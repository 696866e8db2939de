import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { productSorts, productStatuses } from '../../../schema/words.ts';
import { textIn, wordIn } from '../app/search.ts';
import { shellRoute } from '../app/shell-route.ts';

const stockWords = ['in', 'low', 'out'] as const;

export interface ProductsSearch {
  q?: string | undefined;
  status?: (typeof productStatuses)[number] | undefined;
  stock?: (typeof stockWords)[number] | undefined;
  sort?: (typeof productSorts)[number] | undefined;
  /** The product that is open, or `new`. */
  open?: string | undefined;
}

export const productsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/products',
  validateSearch: (search): ProductsSearch => ({
    q: textIn(search, 'q'),
    status: wordIn(search, 'status', productStatuses),
    stock: wordIn(search, 'stock', stockWords),
    sort: wordIn(search, 'sort', productSorts),
    open: textIn(search, 'open'),
  }),
  component: lazyRouteComponent(() => import('./products-page.tsx'), 'ProductsPage'),
});
