import { accountRouter } from './account/router.ts';
import { bookingsRouter } from './bookings/router.ts';
import { contactsRouter } from './contacts/router.ts';
import { conversationsRouter } from './conversations/router.ts';
import { keysRouter } from './keys/router.ts';
import { ordersRouter } from './orders/router.ts';
import { router } from './platform/trpc.ts';
import { productsRouter } from './products/router.ts';
import { tagsRouter } from './tags/router.ts';
import { teamsRouter } from './teams/router.ts';

/** The whole service as tRPC sees it; REST and its document are generated from it. */
export const appRouter = router({
  account: accountRouter,
  bookings: bookingsRouter,
  contacts: contactsRouter,
  conversations: conversationsRouter,
  keys: keysRouter,
  orders: ordersRouter,
  products: productsRouter,
  tags: tagsRouter,
  teams: teamsRouter,
});

export type AppRouter = typeof appRouter;
