import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRouter, RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './kit.css';
import './shell-kit.css';
import './styles.css';
import { InLanguage } from '../language/in-language.tsx';
import { startLanguage } from '../language/language.ts';
import { PageFailure, PageNotFound } from './page-failure.tsx';
import { PageSkeleton } from './page.tsx';
import { routeTree } from './routes.ts';
import { cssVariablesResolver, styleNonce, theme } from './theme.ts';
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

const root = document.querySelector('#root');
if (!root) throw new Error('The page has no root.');
// The first thing that is drawn is in the right language.
void startLanguage().then(() =>
  createRoot(root).render(
    <StrictMode>
      <InLanguage>
        <MantineProvider
          theme={theme}
          defaultColorScheme="auto"
          cssVariablesResolver={cssVariablesResolver}
          getStyleNonce={styleNonce}
        >
          <QueryClientProvider client={queryClient}>
            <Notifications position="bottom-right" autoClose={8000} limit={4} />
            <RouterProvider router={router} />
          </QueryClientProvider>
        </MantineProvider>
      </InLanguage>
    </StrictMode>,
  ),
);
