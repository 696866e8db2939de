import { createRoute, redirect } from '@tanstack/react-router';
import { profileQuery } from '../account/use-profile.ts';
import { failureOf } from './failure.ts';
import { offerRequests } from './request-log.ts';
import { PageFailure } from './page-failure.tsx';
import { rootRoute } from './root-route.ts';
import { goToSignIn } from './session.ts';
import { Shell } from './shell.tsx';
import { queryClient } from './trpc.ts';

/** Every page of somebody who is signed in: the frame around it, and the profile that all of them need. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: Shell,
  errorComponent: PageFailure,
  loader: async () => {
    try {
      const { data } = await queryClient.ensureQueryData(profileQuery());
      offerRequests(data.role.key === 'owner' || data.role.key === 'admin');
    } catch (error) {
      if (failureOf(error).code !== 'unauthenticated') throw error;
      goToSignIn();
      // Nothing is drawn while the browser leaves.
      await new Promise(() => {});
    }
  },
});

/** `/` is a name for the page that one works in: the inbox, for those who have it. */
export const startRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: async () => {
    // Whoever is not signed in is sent to do so by the page.
    const profile = await queryClient.ensureQueryData(profileQuery()).catch(() => null);
    const works = profile === null || profile.data.scopes.includes('inbox.access');
    redirect({ to: works ? '/inbox' : '/home', throw: true });
  },
});
