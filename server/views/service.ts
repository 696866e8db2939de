import { z } from 'zod';
import type { Prisma } from '../../prisma/generated/client/client.ts';
import {
  ConversationViewQuery,
  SavedViewCreate,
  SavedViewListQuery,
  savedViewMaximum,
  SavedViewPath,
  SavedViewUpdate,
  type ViewResource,
  viewResourceNames,
  viewResources,
} from '../../schema/views.ts';
import { actingUser } from '../conversations/action.ts';
import { readInbox } from '../conversations/list.ts';
import type { Context } from '../platform/context.ts';
import { conflict, forbidden, invalidField, notFound } from '../platform/errors.ts';
import { isId, newId } from '../platform/ids.ts';
import { mutation, query } from '../platform/operation.ts';
import { keepsShared, recordOf, type SavedViewRecord, withOwner } from './record.ts';
import { newestNotes } from './notes.ts';
import { countViews, viewCondition } from './standard.ts';

const inbox = { access: 'inbox.access', dashboardOnly: true } as const;
/** Which lists one may read decides which views one sees. */
const own = { access: 'any', dashboardOnly: true } as const;

/** How many conversations each of the inbox's standard views has. */
export const viewCounts = query({ ...inbox, input: z.object({}) }, countViews);

/** The conversations of a standard view, or all, in one of the inbox's orders, narrowed by its filters. */
export const listView = query({ ...inbox, input: ConversationViewQuery }, async (ctx, input) => {
  const { view, sort } = input;
  const page = await readInbox(ctx, input, {
    more: view === undefined ? [] : [viewCondition(ctx, view)],
    sort,
  });
  return { ...page, notes: await newestNotes(ctx, page.rows) };
});

/** Own and shared views, in the order of their positions, then of their names. */
export const listSavedViews = query({ ...own, input: SavedViewListQuery }, async (ctx, { resource }) => {
  const readable = viewResourceNames.filter((name) => ctx.principal.grants.has(viewResources[name].scope));
  const rows = await ctx.db.savedView.findMany({
    where: {
      companyId: ctx.companyId,
      resource: { in: readable.filter((name) => resource === undefined || name === resource) },
      ...visible(ctx),
    },
    include: withOwner,
    orderBy: [{ position: 'asc' }, { name: 'asc' }, { id: 'asc' }],
  });
  return rows.map((row) => recordOf(ctx, row));
});

export const createSavedView = mutation(
  { ...own, input: SavedViewCreate },
  async (ctx, { resource, name, filters, shared = false, position }) => {
    const ownerId = actingUser(ctx).id;
    if (!ctx.principal.grants.has(viewResources[resource].scope)) throw forbidden();
    if (shared) requireKeeper(ctx);
    const { companyId } = ctx;
    const count = await ctx.db.savedView.count({ where: { companyId, ownerId } });
    if (count >= savedViewMaximum)
      throw invalidField('name', 'max', `At most ${savedViewMaximum} views can be saved.`);
    const now = ctx.now();
    const row = await ctx.db.savedView.create({
      data: {
        companyId,
        id: newId(),
        ownerId,
        resource,
        name,
        filters: checkedFilters(resource, filters),
        shared,
        position: position ?? count,
        createdAt: now,
        updatedAt: now,
      },
      include: withOwner,
    });
    return recordOf(ctx, row);
  },
);

export const updateSavedView = mutation(
  { ...own, input: SavedViewUpdate.extend(SavedViewPath.shape), targets: targets() },
  async (ctx, { view, version, filters, shared, name, position }) => {
    const before = await requireEditable(ctx, view);
    if (version !== undefined && version !== before.version)
      throw conflict('The view was changed elsewhere meanwhile.');
    if (shared !== undefined && shared !== before.shared) requireKeeper(ctx);
    const row = await ctx.db.savedView.update({
      where: { companyId_id: { companyId: ctx.companyId, id: before.id } },
      data: {
        ...(name === undefined ? {} : { name }),
        ...(filters === undefined ? {} : { filters: checkedFilters(before.resource, filters) }),
        ...(shared === undefined ? {} : { shared }),
        ...(position === undefined ? {} : { position }),
        version: { increment: 1 },
        updatedAt: ctx.now(),
      },
      include: withOwner,
    });
    return recordOf(ctx, row);
  },
);

export const deleteSavedView = mutation(
  { ...own, input: SavedViewPath, targets: targets() },
  async (ctx, { view }) => {
    const { id } = await requireEditable(ctx, view);
    await ctx.db.savedView.delete({ where: { companyId_id: { companyId: ctx.companyId, id } } });
    return { id };
  },
);

function visible(ctx: Context): Prisma.SavedViewWhereInput {
  return { OR: [{ ownerId: actingUser(ctx).id }, { shared: true }] };
}

async function findSavedView(ctx: Context, id: string): Promise<SavedViewRecord | null> {
  if (!isId(id)) return null;
  const where = { companyId: ctx.companyId, id, ...visible(ctx) };
  const row = await ctx.db.savedView.findFirst({ where, include: withOwner });
  return row && recordOf(ctx, row);
}

function targets() {
  return { view: async (ctx: Context, id: string) => (await findSavedView(ctx, id)) !== null };
}

/** Takes the row for this transaction. */
async function requireEditable(ctx: Context, id: string): Promise<SavedViewRecord> {
  await ctx.db
    .$executeRaw`SELECT FROM saved_views WHERE company_id = ${ctx.companyId} AND id = ${id} FOR UPDATE`;
  const record = await findSavedView(ctx, id);
  if (!record) throw notFound();
  if (!record.editable) throw forbidden('Only its owner, an admin or the Owner may change a shared view.');
  return record;
}

function requireKeeper(ctx: Context): void {
  if (!keepsShared(ctx)) throw forbidden('Only an admin or the Owner may share a view.');
}

/** @throws z.ZodError below `filters` for what the list itself would refuse */
function checkedFilters(resource: ViewResource, filters: Record<string, unknown>): Prisma.InputJsonObject {
  const { limit: _limit, cursor: _cursor, ...shape } = viewResources[resource].query.shape as z.ZodRawShape;
  const parsed = z.object({ filters: z.strictObject(shape) }).safeParse({ filters });
  if (!parsed.success) throw parsed.error;
  return parsed.data.filters as Prisma.InputJsonObject;
}
