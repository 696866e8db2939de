interface DevelopersEntry {
  to: string;
  label: string;
  /** Roles that the page is for; everybody unless given. */
  roles?: readonly string[];
}

const managers = ['owner', 'admin'];

/** The pages for developers, in order. */
export const developersEntries: readonly DevelopersEntry[] = [
  { to: '/developers', label: 'Start' },
  { to: '/developers/rest', label: 'REST reference' },
  { to: '/developers/graphql', label: 'GraphQL explorer' },
  { to: '/developers/tester', label: 'Webhook tester', roles: managers },
  { to: '/developers/requests', label: 'Requests', roles: managers },
  { to: '/settings/events', label: 'Events' },
  { to: '/developers/errors', label: 'Errors' },
  { to: '/developers/limits', label: 'Limits' },
];
