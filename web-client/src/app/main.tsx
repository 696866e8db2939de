import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRouter, RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import './kit.css';
import './shell-kit.css';
import './styles.css';
import { draw } from './draw.tsx';
import { PageFailure, PageNotFound } from './page-failure.tsx';
import { PageSkeleton } from './page.tsx';
import { routeTree } from './routes.ts';
import { styleNonce } from './theme.ts';
import { queryClient } from './trpc.ts';

setNonce(styleNonce());
const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  // Nothing for a moment, then a skeleton for long enough to be seen.
  defaultPendingMs: 300,
  defaultPendingMinMs: 500,
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: PageFailure,
  defaultNotFoundComponent: PageNotFound,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

draw(
  <QueryClientProvider client={queryClient}>
    <Notifications position="bottom-right" autoClose={8000} limit={4} />
    <RouterProvider router={router} />
  </QueryClientProvider>,
);
