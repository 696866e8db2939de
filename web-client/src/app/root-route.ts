import { createRootRoute, retainSearchParams } from '@tanstack/react-router';
import { followMode, type Mode } from './mode.ts';
import { PageNotFound } from './page-failure.tsx';

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

export function modeOf(search: ShellSearch): Mode {
  return search.mode ?? 'live';
}
