import { t } from '@lingui/core/macro';
import type { ConversationSort } from '../../../schema/views.ts';
import { textIn } from '../app/search-params.ts';
import type { InboxFilters } from '../realtime/follow-inbox.ts';

/** Places to look at the inbox from. Filters in the address go before those of the view. */
export const views = {
  mine: {
    get label() {
      return t`Mine`;
    },
    filters: { assignee: 'me', status: 'open', archived: false },
  },
  unassigned: {
    get label() {
      return t`Unassigned`;
    },
    filters: { unassigned: true, status: 'open', archived: false },
  },
  open: {
    get label() {
      return t`All open`;
    },
    filters: { status: 'open', archived: false },
  },
  mentions: {
    get label() {
      return t`Mentions`;
    },
    filters: { view: 'mentions' },
  },
  followed: {
    get label() {
      return t`Followed`;
    },
    filters: { view: 'followed' },
  },
  muted: {
    get label() {
      return t`Muted`;
    },
    filters: { muted: true },
  },
  archived: {
    get label() {
      return t`Archived`;
    },
    filters: { archived: true },
  },
  closed: {
    get label() {
      return t`Closed`;
    },
    filters: { status: 'closed' },
  },
  unread: {
    get label() {
      return t`Unread`;
    },
    filters: { read: false, archived: false },
  },
  all: {
    get label() {
      return t`Everything`;
    },
    filters: {},
  },
} as const satisfies Record<string, { label: string; filters: InboxFilters }>;

export type View = keyof typeof views;
export const viewNames = Object.keys(views) as View[];

/** Orders of the list. The first is the usual one, which the address leaves out. */
export const sorts = {
  get activity() {
    return t`Last activity`;
  },
  get waiting() {
    return t`Waiting longest`;
  },
  get oldest() {
    return t`Oldest`;
  },
} as const satisfies Record<ConversationSort, string>;

export const sortNames = Object.keys(sorts) as ConversationSort[];

/** What the address says: view, filters, order, and the conversation that is open. */
export interface InboxSearch extends Omit<InboxFilters, 'view'> {
  view?: View | undefined;
  /** The saved view that the filters were taken from. */
  saved?: string | undefined;
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

/** What of the address goes to the server as it is, beside the view. */
const ownNames = [...filterNames, 'q', 'sort'] as const;

const statuses = ['open', 'closed'] as const;
const periods = ['today', 'week', 'month'] as const;

/** Reads the address; what makes no sense in it is left out. */
export function readSearch(search: Record<string, unknown>): InboxSearch {
  const text = (name: string) => textIn(search, name);
  const flag = (name: string) => (typeof search[name] === 'boolean' ? search[name] : undefined);
  const rating = Number(search['rating']);
  return defined<InboxSearch>({
    view: viewNames.find((view) => view === search['view']),
    saved: text('saved'),
    open: text('open'),
    sort: sortNames.find((sort) => sort === search['sort']),
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
  });
}

/** What is asked of the server: the view's filters under those of the address. */
export function filtersOf(search: InboxSearch): InboxFilters {
  return { ...views[search.view ?? 'open'].filters, ...ownFilters(search) };
}

/** Whether the address narrows its view, so that nothing found is not the same as nothing there. */
export function isNarrowed(search: InboxSearch): boolean {
  return search.q !== undefined || filterNames.some((name) => search[name] !== undefined);
}

/** What a saved view keeps of the address. */
export function savedFiltersOf(search: InboxSearch): InboxFilters {
  const { view = 'open' } = search;
  if (view === 'all' || view === 'unread') return filtersOf(search);
  return { view, ...ownFilters(search) };
}

/** The address of a saved view. */
export function searchOfSaved(id: string, filters: Record<string, unknown>): InboxSearch {
  return {
    ...readSearch(filters),
    view: viewNames.find((name) => name === filters['view']) ?? 'all',
    saved: id,
  };
}

function ownFilters(search: InboxSearch): InboxFilters {
  return defined(Object.fromEntries(ownNames.map((name) => [name, search[name]])));
}

function defined<T extends object>(values: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}
