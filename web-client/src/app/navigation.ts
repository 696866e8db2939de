import { t } from '@lingui/core/macro';
import {
  CalendarDays,
  ChartColumn,
  CodeXml,
  House,
  Inbox,
  type LucideIcon,
  Megaphone,
  MessageSquareQuote,
  Package,
  Settings,
  ShoppingBag,
  Tag,
  UsersRound,
} from 'lucide-react';
import type { Scope } from '../../../schema/scopes.ts';

interface NavigationEntry {
  to: string;
  label: string;
  icon: LucideIcon;
  /** Without it the whole area is out of reach, so it is not shown. */
  scope?: Scope;
  /** A page of the server, not of the application. */
  external?: true;
}

/** The places of the left column, in order. */
export const navigation: readonly NavigationEntry[] = [
  {
    to: '/inbox',
    get label() {
      return t`Inbox`;
    },
    icon: Inbox,
    scope: 'inbox.access',
  },
  {
    to: '/home',
    get label() {
      return t`Home`;
    },
    icon: House,
  },
  {
    to: '/contacts',
    get label() {
      return t`Contacts`;
    },
    icon: UsersRound,
    scope: 'contacts.view',
  },
  {
    to: '/orders',
    get label() {
      return t`Orders`;
    },
    icon: ShoppingBag,
    scope: 'commerce.view',
  },
  {
    to: '/products',
    get label() {
      return t`Products`;
    },
    icon: Package,
    scope: 'commerce.view',
  },
  {
    to: '/bookings',
    get label() {
      return t`Bookings`;
    },
    icon: CalendarDays,
    scope: 'calendar.view',
  },
  {
    to: '/campaigns',
    get label() {
      return t`Campaigns`;
    },
    icon: Megaphone,
    scope: 'campaigns.view',
  },
  {
    to: '/quick-replies',
    get label() {
      return t`Quick replies`;
    },
    icon: MessageSquareQuote,
    scope: 'quick-replies.manage',
  },
  {
    to: '/tags',
    get label() {
      return t`Tags`;
    },
    icon: Tag,
    scope: 'inbox.access',
  },
  {
    to: '/reports',
    get label() {
      return t`Reports`;
    },
    icon: ChartColumn,
    scope: 'inbox.access',
  },
  {
    to: '/settings',
    get label() {
      return t`Settings`;
    },
    icon: Settings,
  },
  {
    to: '/developers',
    get label() {
      return t`Developers`;
    },
    icon: CodeXml,
  },
];
