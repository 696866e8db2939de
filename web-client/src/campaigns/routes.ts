import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { campaignStatuses, recipientStatuses } from '../../../schema/words.ts';
import { wordIn } from '../app/search.ts';
import { shellRoute } from '../app/shell-route.ts';

export interface CampaignsSearch {
  status?: (typeof campaignStatuses)[number] | undefined;
}

export const campaignsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/campaigns',
  validateSearch: (search): CampaignsSearch => ({ status: wordIn(search, 'status', campaignStatuses) }),
  component: lazyRouteComponent(() => import('./campaigns-page.tsx'), 'CampaignsPage'),
});

export const newCampaignRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/campaigns/new',
  component: lazyRouteComponent(() => import('./edit-campaign-page.tsx'), 'NewCampaignPage'),
});

export interface CampaignSearch {
  /** Status of the recipients that are listed. */
  recipients?: (typeof recipientStatuses)[number] | undefined;
}

export const campaignRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/campaigns/$campaign',
  validateSearch: (search): CampaignSearch => ({
    recipients: wordIn(search, 'recipients', recipientStatuses),
  }),
  component: lazyRouteComponent(() => import('./campaign-page.tsx'), 'CampaignPage'),
});

export const editCampaignRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/campaigns/$campaign/edit',
  component: lazyRouteComponent(() => import('./edit-campaign-page.tsx'), 'EditCampaignPage'),
});
