import { auditRoute } from '../audit/routes.ts';
import { apiKeysRoute } from '../keys/routes.ts';
import { bookingsRoute } from '../bookings/routes.ts';
import { campaignRoute, campaignsRoute, editCampaignRoute, newCampaignRoute } from '../campaigns/routes.ts';
import { contactRoute, contactsRoute } from '../contacts/routes.ts';
import { conversationRoute } from '../conversation/routes.ts';
import { channelsRoute } from '../channels/routes.ts';
import { companyRoute } from '../company/routes.ts';
import {
  developersIndexRoute,
  developersRoute,
  errorsRoute,
  graphqlRoute,
  limitsRoute,
  referenceRoute,
  requestsRoute,
  testerRoute,
} from '../developers/routes.ts';
import { deliveriesRoute, webhooksRoute } from '../webhooks/routes.ts';
import { eventsRoute } from '../events/routes.ts';
import { homeRoute } from '../home/routes.ts';
import { inboxRoute } from '../inbox/routes.ts';
import { newOrderRoute, orderRoute, ordersRoute } from '../orders/routes.ts';
import { productsRoute } from '../products/routes.ts';
import { quickRepliesRoute } from '../quick-replies/routes.ts';
import { tagsRoute } from '../tags/routes.ts';
import { profileRoute } from '../account/routes.ts';
import { reportsRoute } from '../reports/routes.ts';
import { rolesRoute, teamRoute } from '../agents/routes.ts';
import { settingsIndexRoute, settingsRoute } from '../settings/routes.ts';
import { rootRoute } from './root-route.ts';
import { shellRoute, startRoute } from './shell-route.ts';

/** All pages. A domain declares its own in `routes.ts` and adds them here. */
export const routeTree = rootRoute.addChildren([
  shellRoute.addChildren([
    startRoute,
    homeRoute,
    contactsRoute,
    contactRoute,
    ordersRoute,
    newOrderRoute,
    orderRoute,
    productsRoute,
    bookingsRoute,
    campaignsRoute,
    newCampaignRoute,
    campaignRoute,
    editCampaignRoute,
    quickRepliesRoute,
    tagsRoute,
    conversationRoute,
    inboxRoute,
    reportsRoute,
    developersRoute.addChildren([
      developersIndexRoute,
      referenceRoute,
      graphqlRoute,
      testerRoute,
      requestsRoute,
      errorsRoute,
      limitsRoute,
    ]),
    settingsRoute.addChildren([
      settingsIndexRoute,
      profileRoute,
      companyRoute,
      channelsRoute,
      teamRoute,
      rolesRoute,
      apiKeysRoute,
      webhooksRoute,
      deliveriesRoute,
      eventsRoute,
      auditRoute,
    ]),
  ]),
]);
