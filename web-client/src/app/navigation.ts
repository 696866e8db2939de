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
  { to: '/inbox', label: 'Inbox', icon: Inbox, scope: 'inbox.access' },
  { to: '/home', label: 'Home', icon: House },
  { to: '/contacts', label: 'Contacts', icon: UsersRound, scope: 'contacts.view' },
  { to: '/orders', label: 'Orders', icon: ShoppingBag, scope: 'commerce.view' },
  { to: '/products', label: 'Products', icon: Package, scope: 'commerce.view' },
  { to: '/bookings', label: 'Bookings', icon: CalendarDays, scope: 'calendar.view' },
  { to: '/campaigns', label: 'Campaigns', icon: Megaphone, scope: 'campaigns.view' },
  { to: '/quick-replies', label: 'Quick replies', icon: MessageSquareQuote, scope: 'quick-replies.manage' },
  { to: '/tags', label: 'Tags', icon: Tag, scope: 'inbox.access' },
  { to: '/reports', label: 'Reports', icon: ChartColumn, scope: 'inbox.access' },
  { to: '/settings', label: 'Settings', icon: Settings },
  { to: '/developers', label: 'Developers', icon: CodeXml },
];
