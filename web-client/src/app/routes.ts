import { auditRoute } from '../audit/routes.ts';
import { apiKeysRoute } from '../keys/routes.ts';
import { channelsRoute } from '../channels/routes.ts';
import { companyRoute } from '../company/routes.ts';
import { deliveriesRoute, webhooksRoute } from '../webhooks/routes.ts';
import { eventsRoute } from '../events/routes.ts';
import { homeRoute } from '../home/routes.ts';
import { profileRoute } from '../account/routes.ts';
import { reportsRoute } from '../reports/routes.ts';
import { rolesRoute, teamRoute } from '../agents/routes.ts';
import { settingsIndexRoute, settingsRoute } from '../settings/routes.ts';
import { rootRoute, shellRoute, startRoute } from './shell-route.ts';

/** All pages. A domain declares its own in `routes.ts` and adds them here. */
export const routeTree = rootRoute.addChildren([
  shellRoute.addChildren([
    startRoute,
    homeRoute,
    reportsRoute,
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
