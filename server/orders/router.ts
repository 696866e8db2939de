import { OrderBody, OrderPage } from '../../schema/orders.ts';
import { presentPage } from '../platform/present.ts';
import { procedure, router } from '../platform/trpc.ts';
import { advanceOrder } from './advance.ts';
import { createOrder } from './create.ts';
import { listOrders } from './list.ts';
import { presentOrder } from './present.ts';
import { showOrder } from './service.ts';

const tag = 'Orders';

export const ordersRouter = router({
  list: procedure(listOrders, {
    output: OrderPage,
    present: presentPage(presentOrder),
    rest: { method: 'GET', path: '/orders', tag, summary: 'List orders', description: 'Newest first.' },
  }),
  create: procedure(createOrder, {
    output: OrderBody,
    present: (row) => ({ data: presentOrder(row) }),
    rest: {
      method: 'POST',
      path: '/orders',
      tag,
      summary: 'Create an order',
      description:
        'Totals are computed here; names and prices are kept as they are now. Reserves the stock of every product or refuses the whole order with `insufficient_stock`.',
      status: 201,
    },
  }),
  show: procedure(showOrder, {
    output: OrderBody,
    present: (row) => ({ data: presentOrder(row) }),
    rest: {
      method: 'GET',
      path: '/orders/{order}',
      tag,
      summary: 'Show an order',
      description: 'With its items, totals and the history of its status.',
    },
  }),
  advance: procedure(advanceOrder, {
    output: OrderBody,
    present: (row) => ({ data: presentOrder(row) }),
    rest: {
      method: 'POST',
      path: '/orders/{order}/advance',
      tag,
      summary: 'Advance the status or the payment of an order',
      description:
        'Without `status` and `payment_status` the order takes its next step. The status it has already is no change. A step that `allowed_transitions` does not name is 409, as is one that lost a race.',
      conflicts: true,
    },
  }),
});
