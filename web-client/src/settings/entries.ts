import type { SystemRole } from '../../../schema/scopes.ts';

interface SettingsEntry {
  to: string;
  label: string;
  /** Roles that the page is for; everybody unless given. */
  roles?: readonly string[];
}

const managers: readonly SystemRole[] = ['owner', 'admin'];

/** The pages of the settings, in order. */
export const settingsEntries: readonly SettingsEntry[] = [
  { to: '/settings/profile', label: 'Profile' },
  { to: '/settings/company', label: 'Company', roles: managers },
  { to: '/settings/channels', label: 'Channels', roles: managers },
  { to: '/settings/team', label: 'Team', roles: managers },
  { to: '/settings/roles', label: 'Roles', roles: managers },
  { to: '/settings/keys', label: 'API keys', roles: ['owner'] },
  { to: '/settings/webhooks', label: 'Webhooks', roles: managers },
  { to: '/settings/events', label: 'Events' },
  { to: '/settings/audit', label: 'Audit log', roles: managers },
];
