import { t } from '@lingui/core/macro';
interface DevelopersEntry {
  to: string;
  label: string;
  /** Roles that the page is for; everybody unless given. */
  roles?: readonly string[];
}

const managers = ['owner', 'admin'];

/** The pages for developers, in order. */
export const developersEntries: readonly DevelopersEntry[] = [
  {
    to: '/developers',
    get label() {
      return t`Start`;
    },
  },
  {
    to: '/developers/rest',
    get label() {
      return t`REST reference`;
    },
  },
  {
    to: '/developers/graphql',
    get label() {
      return t`GraphQL explorer`;
    },
  },
  {
    to: '/developers/tester',
    get label() {
      return t`Webhook tester`;
    },
    roles: managers,
  },
  {
    to: '/developers/requests',
    get label() {
      return t`Requests`;
    },
    roles: managers,
  },
  {
    to: '/settings/events',
    get label() {
      return t`Events`;
    },
  },
  {
    to: '/developers/errors',
    get label() {
      return t`Errors`;
    },
  },
  {
    to: '/developers/limits',
    get label() {
      return t`Limits`;
    },
  },
];
