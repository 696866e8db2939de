import {
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { profileQuery } from '../account/use-profile.ts';
import { failureOf } from './failure.ts';
import { followMode, type Mode } from './mode.ts';
import { PageFailure, PageNotFound } from './page-failure.tsx';
import { goToSignIn } from './session.ts';
import { queryClient } from './trpc.ts';

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
  component: lazyRouteComponent(() => import('./shell.tsx'), 'Shell'),
  errorComponent: PageFailure,
  loader: async () => {
    try {
      await queryClient.ensureQueryData(profileQuery());
    } catch (error) {
      if (failureOf(error).code !== 'unauthenticated') throw error;
      goToSignIn();
      // Nothing is drawn while the browser leaves.
      await new Promise(() => {});
    }
  },
});

/** `/` is a name for the page that one works in. */
export const startRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: () => {
    redirect({ to: '/home', throw: true });
  },
});

export function modeOf(search: ShellSearch): Mode {
  return search.mode ?? 'live';
}
