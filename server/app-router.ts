import { accountRouter, availabilityRouter, companyRouter } from './account/router.ts';
import { aiRouter } from './ai/router.ts';
import { agentsRouter } from './agents/router.ts';
import { auditRouter } from './audit/router.ts';
import { bookingsRouter } from './bookings/router.ts';
import { campaignsRouter } from './campaigns/router.ts';
import { channelsRouter } from './channels/router.ts';
import { contactsRouter } from './contacts/router.ts';
import { conversationsRouter } from './conversations/router.ts';
import { draftsRouter } from './drafts/router.ts';
import { invitationsRouter } from './invitations/router.ts';
import { keysRouter } from './keys/router.ts';
import { mediaRouter } from './media/router.ts';
import { messagesRouter } from './messages/router.ts';
import { notificationsRouter } from './notifications/router.ts';
import { ordersRouter } from './orders/router.ts';
import { router } from './platform/trpc.ts';
import { privacyRouter } from './privacy/router.ts';
import { productsRouter } from './products/router.ts';
import { quickRepliesRouter } from './quick-replies/router.ts';
import { realtimeRouter } from './realtime/router.ts';
import { reportsRouter } from './reports/router.ts';
import { requestsRouter } from './requests/router.ts';
import { rolesRouter } from './roles/router.ts';
import { tagsRouter } from './tags/router.ts';
import { teamsRouter } from './teams/router.ts';
import { savedViewsRouter, viewsRouter } from './views/router.ts';
import { webchatRouter } from './webchat/router.ts';
import { deliveriesRouter, webhooksRouter } from './webhooks/router.ts';

/** The whole service as tRPC sees it; REST and its document are generated from it. */
export const appRouter = router({
  account: accountRouter,
  agents: agentsRouter,
  availability: availabilityRouter,
  ai: aiRouter,
  audit: auditRouter,
  bookings: bookingsRouter,
  campaigns: campaignsRouter,
  channels: channelsRouter,
  company: companyRouter,
  contacts: contactsRouter,
  conversations: conversationsRouter,
  deliveries: deliveriesRouter,
  drafts: draftsRouter,
  invitations: invitationsRouter,
  keys: keysRouter,
  media: mediaRouter,
  messages: messagesRouter,
  notifications: notificationsRouter,
  orders: ordersRouter,
  privacy: privacyRouter,
  products: productsRouter,
  quickReplies: quickRepliesRouter,
  realtime: realtimeRouter,
  reports: reportsRouter,
  requests: requestsRouter,
  roles: rolesRouter,
  savedViews: savedViewsRouter,
  tags: tagsRouter,
  teams: teamsRouter,
  views: viewsRouter,
  webchat: webchatRouter,
  webhooks: webhooksRouter,
});

export type AppRouter = typeof appRouter;
