import { z } from 'zod';
import { BookingListQuery } from './bookings.ts';
import { CampaignListQuery } from './campaigns.ts';
import { Deleted, idOut, list, pathId, single, text, timestamp } from './common.ts';
import { ContactListQuery } from './contacts.ts';
import { Conversation, ConversationListQuery, ConversationPage } from './conversations.ts';
import { OrderListQuery } from './orders.ts';
import { ProductListQuery } from './products.ts';
import type { Scope } from './scopes.ts';

/** Views that every inbox has; `standardView` of `ConversationViewQuery` lists one. */
export const standardViews = [
  'mine',
  'unassigned',
  'open',
  'mentions',
  'followed',
  'muted',
  'archived',
  'closed',
] as const;
export type StandardView = (typeof standardViews)[number];

/** Counting stops here: this number means so many or more. */
export const viewCountMaximum = 10_000;

/** How many conversations each standard view has for the signed-in agent. */
export const ViewCounts = z
  .strictObject(
    Object.fromEntries(standardViews.map((name) => [name, z.int().min(0)])) as Record<StandardView, z.ZodInt>,
  )
  .meta({ id: 'ViewCounts' });
export type ViewCounts = z.infer<typeof ViewCounts>;

/** Newest activity first; whose customer waits longest first, then those where nobody waits; oldest activity first. */
export const conversationSorts = ['activity', 'waiting', 'oldest'] as const;
export type ConversationSort = (typeof conversationSorts)[number];

/** The inbox as the dashboard lists it: a standard view, or all, narrowed by the filters of the list. */
export const ConversationViewQuery = ConversationListQuery.extend({
  view: z.enum(standardViews).optional(),
  sort: z.enum(conversationSorts).optional().meta({ default: 'activity' }),
});
export type ConversationViewQuery = z.infer<typeof ConversationViewQuery>;

/** A conversation, with the beginning of its newest note when that is newer than its newest message. */
export const ConversationRow = Conversation.extend({
  note: z.strictObject({ snippet: z.string(), author: z.string().nullable(), at: timestamp }).nullable(),
}).meta({ id: 'ConversationRow' });
export type ConversationRow = z.infer<typeof ConversationRow>;

/** Lists that views are saved of: the input of each, and the scope that reads it. */
export const viewResources = {
  conversations: {
    query: ConversationViewQuery,
    scope: 'inbox.access',
  },
  contacts: { query: ContactListQuery, scope: 'contacts.view' },
  products: { query: ProductListQuery, scope: 'commerce.view' },
  orders: { query: OrderListQuery, scope: 'commerce.view' },
  bookings: { query: BookingListQuery, scope: 'calendar.view' },
  campaigns: { query: CampaignListQuery, scope: 'campaigns.view' },
} as const satisfies Record<string, { query: z.ZodObject; scope: Scope }>;

export type ViewResource = keyof typeof viewResources;
export const viewResourceNames = Object.keys(viewResources) as [ViewResource, ...ViewResource[]];

/** At most so many views of one's own. */
export const savedViewMaximum = 100;

/** A named filter of a list, one's own or shared with the company. Dashboard only. */
export const SavedView = z
  .strictObject({
    id: idOut,
    resource: z.enum(viewResourceNames),
    name: z.string(),
    filters: z.record(z.string(), z.unknown()).meta({ description: "As the list's own query takes them." }),
    shared: z.boolean().meta({ description: 'Everybody who may read the list sees it.' }),
    position: z.int(),
    owner: z.strictObject({ name: z.string(), email: z.string() }),
    editable: z.boolean().meta({ description: 'Whether the signed-in user may change it.' }),
    version: z.int().min(1),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'SavedView' });
export type SavedView = z.infer<typeof SavedView>;

const name = text(100, 1);
const filters = z.record(z.string(), z.unknown());
const position = z.int().min(0).max(10_000);
const shared = z.boolean().meta({ description: 'Only admins and the Owner share views.' });

export const SavedViewListQuery = z.object({ resource: z.enum(viewResourceNames).optional() });

export const SavedViewCreate = z.object({
  resource: z.enum(viewResourceNames),
  name,
  filters: filters.meta({ description: 'Filters of the list, without limit and cursor.' }),
  shared: shared.optional(),
  position: position.optional(),
});

/** Absent keeps. With `version`, a view that changed since is left alone: 409 `conflict`. */
export const SavedViewUpdate = z.object({
  name: name.optional(),
  filters: filters.optional(),
  shared: shared.optional(),
  position: position.optional(),
  version: z.int().min(1).max(2_147_483_647).optional(),
});

export const SavedViewPath = z.object({ view: pathId });

export const ConversationRowPage = z.strictObject({
  data: z.array(ConversationRow),
  meta: ConversationPage.shape.meta,
});
export const ViewCountsBody = single(ViewCounts);
export const SavedViewBody = single(SavedView);
export const SavedViewList = list(SavedView);
export const SavedViewDeleted = single(Deleted);
