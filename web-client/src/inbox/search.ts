import type { InboxFilters } from '../realtime/follow-inbox.ts';

/** Places to look at the inbox from. Filters in the address go before those of the view. */
export const views = {
  open: { label: 'All open', filters: { status: 'open', archived: false } },
  mine: { label: 'Mine', filters: { assignee: 'me', status: 'open', archived: false } },
  unassigned: { label: 'Unassigned', filters: { unassigned: true, status: 'open', archived: false } },
  unread: { label: 'Unread', filters: { read: false, archived: false } },
  muted: { label: 'Muted', filters: { muted: true } },
  closed: { label: 'Closed', filters: { status: 'closed', archived: false } },
  archived: { label: 'Archived', filters: { archived: true } },
  all: { label: 'Everything', filters: {} },
} as const satisfies Record<string, { label: string; filters: InboxFilters }>;

export type View = keyof typeof views;
export const viewNames = Object.keys(views) as View[];

/** What the address says: view, filters, and the conversation that is open. */
export interface InboxSearch extends InboxFilters {
  view?: View | undefined;
  open?: string | undefined;
}

export const filterNames = [
  'status',
  'assignee',
  'channel',
  'tag',
  'contact',
  'archived',
  'unassigned',
  'read',
  'muted',
  'period',
  'rating',
] as const satisfies (keyof InboxFilters)[];
export type FilterName = (typeof filterNames)[number];

const statuses = ['open', 'closed'] as const;
const periods = ['today', 'week', 'month'] as const;

/** Reads the address; what makes no sense in it is left out. */
export function readSearch(search: Record<string, unknown>): InboxSearch {
  const text = (name: string) => {
    const value = search[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined;
  };
  const flag = (name: string) => (typeof search[name] === 'boolean' ? search[name] : undefined);
  const rating = Number(search['rating']);
  const all: InboxSearch = {
    view: viewNames.find((view) => view === search['view']),
    open: text('open'),
    status: statuses.find((status) => status === search['status']),
    assignee: text('assignee'),
    channel: text('channel'),
    tag: text('tag'),
    contact: text('contact'),
    q: text('q')?.slice(0, 191),
    archived: flag('archived'),
    unassigned: flag('unassigned'),
    read: flag('read'),
    muted: flag('muted'),
    period: periods.find((period) => period === search['period']),
    rating: [1, 2, 3, 4, 5].includes(rating) ? rating : undefined,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** What is asked of the server: the view's filters under those of the address. */
export function filtersOf({ view = 'open', open: _open, ...own }: InboxSearch): InboxFilters {
  const filters: InboxFilters = { ...views[view].filters, ...own };
  const { status, assignee, channel, tag, contact, q, archived, unassigned, read, muted, period, rating } =
    filters;
  const all = {
    status,
    assignee,
    channel,
    tag,
    contact,
    q,
    archived,
    unassigned,
    read,
    muted,
    period,
    rating,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
