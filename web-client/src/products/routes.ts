import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { productSorts, productStatuses } from '../../../schema/words.ts';
import { flagIn, textIn, wordIn } from '../app/search.ts';
import { shellRoute } from '../app/shell-route.ts';

export interface ProductsSearch {
  q?: string | undefined;
  status?: (typeof productStatuses)[number] | undefined;
  in_stock?: boolean | undefined;
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
    in_stock: flagIn(search, 'in_stock'),
    sort: wordIn(search, 'sort', productSorts),
    open: textIn(search, 'open'),
  }),
  component: lazyRouteComponent(() => import('./products-page.tsx'), 'ProductsPage'),
});
