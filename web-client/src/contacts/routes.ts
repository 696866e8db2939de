import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { contactSorts } from '../../../schema/words.ts';
import { flagIn, textIn, wordIn } from '../app/search.ts';
import { shellRoute } from '../app/shell-route.ts';

export interface ContactsSearch {
  q?: string | undefined;
  country?: string | undefined;
  tag?: string | undefined;
  subscribed?: boolean | undefined;
  blocked?: boolean | undefined;
  sort?: (typeof contactSorts)[number] | undefined;
  /** Whether the form of a new contact is open. */
  create?: boolean | undefined;
}

export const contactsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/contacts',
  validateSearch: (search): ContactsSearch => ({
    q: textIn(search, 'q'),
    country: textIn(search, 'country'),
    tag: textIn(search, 'tag'),
    subscribed: flagIn(search, 'subscribed'),
    blocked: flagIn(search, 'blocked'),
    sort: wordIn(search, 'sort', contactSorts),
    create: flagIn(search, 'create'),
  }),
  component: lazyRouteComponent(() => import('./contacts-page.tsx'), 'ContactsPage'),
});

export const contactTabs = ['conversations', 'orders', 'bookings', 'notes', 'activity'] as const;

interface ContactSearch {
  tab?: (typeof contactTabs)[number] | undefined;
}

export const contactRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/contacts/$contact',
  validateSearch: (search): ContactSearch => ({ tab: wordIn(search, 'tab', contactTabs) }),
  component: lazyRouteComponent(() => import('./contact-page.tsx'), 'ContactPage'),
});
