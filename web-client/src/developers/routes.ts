import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { type ErrorCode, errors } from '../../../schema/errors.ts';
import { requestClasses, requestMethods, requestSurfaces } from '../../../schema/words.ts';
import { flagIn, textIn, wordIn } from '../app/search.ts';
import { shellRoute } from '../app/shell-route.ts';

export const developersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/developers',
  component: lazyRouteComponent(() => import('./developers.tsx'), 'Developers'),
});

export const developersIndexRoute = createRoute({
  getParentRoute: () => developersRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./start-page.tsx'), 'StartPage'),
});

export const referenceRoute = createRoute({
  getParentRoute: () => developersRoute,
  path: '/rest',
  component: lazyRouteComponent(() => import('./reference-page.tsx'), 'ReferencePage'),
});

export const graphqlRoute = createRoute({
  getParentRoute: () => developersRoute,
  path: '/graphql',
  component: lazyRouteComponent(() => import('./graphql-page.tsx'), 'GraphqlPage'),
});

export const testerRoute = createRoute({
  getParentRoute: () => developersRoute,
  path: '/tester',
  component: lazyRouteComponent(() => import('./tester-page.tsx'), 'TesterPage'),
});

export const errorsRoute = createRoute({
  getParentRoute: () => developersRoute,
  path: '/errors',
  component: lazyRouteComponent(() => import('./errors-page.tsx'), 'ErrorsPage'),
});

export const limitsRoute = createRoute({
  getParentRoute: () => developersRoute,
  path: '/limits',
  validateSearch: (search): { key?: string | undefined } => ({ key: textIn(search, 'key') }),
  component: lazyRouteComponent(() => import('./limits-page.tsx'), 'LimitsPage'),
});

export interface RequestsSearch {
  request?: string | undefined;
  key?: string | undefined;
  failed?: boolean | undefined;
  status?: (typeof requestClasses)[number] | undefined;
  code?: ErrorCode | undefined;
  method?: (typeof requestMethods)[number] | undefined;
  surface?: (typeof requestSurfaces)[number] | undefined;
  path?: string | undefined;
  /** The request that is shown. */
  open?: string | undefined;
}

export const requestsRoute = createRoute({
  getParentRoute: () => developersRoute,
  path: '/requests',
  validateSearch: (search): RequestsSearch => ({
    request: textIn(search, 'request'),
    key: textIn(search, 'key'),
    failed: flagIn(search, 'failed'),
    status: wordIn(search, 'status', requestClasses),
    code: wordIn(search, 'code', Object.keys(errors) as ErrorCode[]),
    method: wordIn(search, 'method', requestMethods),
    surface: wordIn(search, 'surface', requestSurfaces),
    path: textIn(search, 'path'),
    open: textIn(search, 'open'),
  }),
  component: lazyRouteComponent(() => import('./requests-page.tsx'), 'RequestsPage'),
});
