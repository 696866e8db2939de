import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { orderStatuses, paymentStatuses } from '../../../schema/words.ts';
import { textIn, wordIn } from '../app/search.ts';
import { shellRoute } from '../app/shell-route.ts';

export interface OrdersSearch {
  q?: string | undefined;
  status?: (typeof orderStatuses)[number] | undefined;
  payment?: (typeof paymentStatuses)[number] | undefined;
  /** Id of a customer. */
  contact?: string | undefined;
  /** Days of the reader's calendar, both included. */
  from?: string | undefined;
  to?: string | undefined;
}

export const ordersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/orders',
  validateSearch: (search): OrdersSearch => ({
    q: textIn(search, 'q'),
    status: wordIn(search, 'status', orderStatuses),
    payment: wordIn(search, 'payment', paymentStatuses),
    contact: textIn(search, 'contact'),
    from: textIn(search, 'from'),
    to: textIn(search, 'to'),
  }),
  component: lazyRouteComponent(() => import('./orders-page.tsx'), 'OrdersPage'),
});

/** For whom a new order is, when one comes from a contact or a conversation. */
interface NewOrderSearch {
  contact?: string | undefined;
  conversation?: string | undefined;
}

export const newOrderRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/orders/new',
  validateSearch: (search): NewOrderSearch => ({
    contact: textIn(search, 'contact'),
    conversation: textIn(search, 'conversation'),
  }),
  component: lazyRouteComponent(() => import('./new-order-page.tsx'), 'NewOrderPage'),
});

export const orderRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/orders/$order',
  component: lazyRouteComponent(() => import('./order-page.tsx'), 'OrderPage'),
});
