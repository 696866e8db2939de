import { apiKeysRoute } from '../keys/routes.ts';
import { conversationRoute } from '../conversation/routes.ts';
import { homeRoute } from '../home/routes.ts';
import { profileRoute } from '../account/routes.ts';
import { rolesRoute, teamRoute } from '../agents/routes.ts';
import { settingsIndexRoute, settingsRoute } from '../settings/routes.ts';
import { rootRoute, shellRoute, startRoute } from './shell-route.ts';

/** All pages. A domain declares its own in `routes.ts` and adds them here. */
export const routeTree = rootRoute.addChildren([
  shellRoute.addChildren([
    startRoute,
    homeRoute,
    conversationRoute,
    settingsRoute.addChildren([settingsIndexRoute, profileRoute, teamRoute, rolesRoute, apiKeysRoute]),
  ]),
]);
