import { t } from '@lingui/core/macro';
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
  {
    to: '/settings/profile',
    get label() {
      return t`Profile`;
    },
  },
  {
    to: '/settings/company',
    get label() {
      return t`Company`;
    },
    roles: managers,
  },
  {
    to: '/settings/channels',
    get label() {
      return t`Channels`;
    },
    roles: managers,
  },
  {
    to: '/settings/team',
    get label() {
      return t`Team`;
    },
    roles: managers,
  },
  {
    to: '/settings/roles',
    get label() {
      return t`Roles`;
    },
    roles: managers,
  },
  {
    to: '/settings/keys',
    get label() {
      return t`API keys`;
    },
    roles: ['owner'],
  },
  {
    to: '/settings/webhooks',
    get label() {
      return t`Webhooks`;
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
    to: '/settings/audit',
    get label() {
      return t`Audit log`;
    },
    roles: managers,
  },
];
