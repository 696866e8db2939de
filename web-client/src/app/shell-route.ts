import { createRootRoute, createRoute, redirect, retainSearchParams } from '@tanstack/react-router';
import { profileQuery } from '../account/use-profile.ts';
import { failureOf } from './failure.ts';
import { followMode, type Mode } from './mode.ts';
import { offerRequests } from './request-log.ts';
import { PageFailure, PageNotFound } from './page-failure.tsx';
import { goToSignIn } from './session.ts';
import { Shell } from './shell.tsx';
import { queryClient } from './trpc.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The page takes all the room beside the navigation and scrolls in parts of its own. */
    fills?: true;
  }
}

interface ShellSearch {
  /** Absent: live. */
  mode?: 'test' | undefined;
}

export const rootRoute = createRootRoute({
  validateSearch: (search): ShellSearch => (search['mode'] === 'test' ? { mode: 'test' } : {}),
  // Links stay in the mode without saying so.
  search: { middlewares: [retainSearchParams<ShellSearch>(['mode'])] },
  beforeLoad: ({ search }) => followMode(modeOf(search)),
  notFoundComponent: PageNotFound,
});

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

export function modeOf(search: ShellSearch): Mode {
  return search.mode ?? 'live';
}
