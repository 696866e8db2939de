import { Prisma } from '../../prisma/generated/client/client.ts';
import {
  QuickReplyCreate,
  QuickReplyListQuery,
  QuickReplyPath,
  QuickReplyUpdate,
  variablesIn,
} from '../../schema/quick-replies.ts';
import { mediaOf } from '../media/columns.ts';
import { useMedia } from '../media/service.ts';
import type { Context } from '../platform/context.ts';
import { invalidField, notFound } from '../platform/errors.ts';
import { isId, newId } from '../platform/ids.ts';
import { mutation, query } from '../platform/operation.ts';
import { columns, containsText, readPage } from '../platform/pagination.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import type { QuickReplyRecord } from './present.ts';

const select = Prisma.sql`SELECT ${columns(Prisma.QuickReplyScalarFieldEnum)}, ${mediaOf('quick_replies')} AS media,
  (SELECT json_build_object('name', users.display_name, 'email', users.email) FROM users
    WHERE users.company_id = quick_replies.company_id AND users.id = quick_replies.created_by_id) AS "createdBy"
  FROM quick_replies`;

/** The quick reply, or null when it is unknown to this company. */
export async function findQuickReply(ctx: Context, id: string): Promise<QuickReplyRecord | null> {
  if (!isId(id)) return null;
  const rows = await ctx.db.$queryRaw<QuickReplyRecord[]>`
    ${select} WHERE company_id = ${ctx.companyId} AND id = ${id}`;
  return rows[0] ?? null;
}

export const quickReplyTargets = {
  quick_reply: async (ctx: Context, id: string) => (await findQuickReply(ctx, id)) !== null,
};

/** In order of shortcuts. */
export const listQuickReplies = query(
  { access: 'quick-replies.manage', input: QuickReplyListQuery },
  (ctx, input) =>
    readPage<QuickReplyRecord>(ctx, {
      list: 'quick-replies',
      select,
      where: input.q ? [containsText('search', input.q)] : [],
      filters: input,
      sort: {
        name: 'shortcut',
        column: 'shortcut',
        type: 'text',
        direction: 'asc',
        valueOf: (row) => row.shortcut,
      },
      limit: input.limit,
      cursor: input.cursor,
    }),
);

export const createQuickReply = mutation(
  { access: 'quick-replies.manage', input: QuickReplyCreate },
  async (ctx, { shortcut, text, title, category, media_url }) => {
    await refuseDuplicate(ctx, shortcut);
    const media = media_url ? await useMedia(ctx, media_url) : null;
    const now = ctx.now();
    const { id } = await ctx.db.quickReply.create({
      data: {
        companyId: ctx.companyId,
        id: newId(),
        shortcut,
        text,
        variables: variablesIn(text),
        title: title ?? null,
        category: category ?? null,
        mediaId: media?.id ?? null,
        createdById: ctx.principal.user?.id ?? null,
        createdAt: now,
        updatedAt: now,
      },
    });
    return requireQuickReply(ctx, id);
  },
);

export const updateQuickReply = mutation(
  {
    access: 'quick-replies.manage',
    dashboardOnly: true,
    input: QuickReplyUpdate.extend(QuickReplyPath.shape),
    targets: quickReplyTargets,
  },
  async (ctx, { quick_reply, shortcut, text, title, category, media_url }) => {
    const before = await requireQuickReply(ctx, quick_reply);
    if (shortcut !== undefined) await refuseDuplicate(ctx, shortcut, before.id);
    const cleared = media_url === undefined ? undefined : null;
    const mediaId = media_url ? (await useMedia(ctx, media_url)).id : cleared;
    const wanted = { shortcut, text, title, category, mediaId };
    const changes = Object.fromEntries(
      Object.entries(wanted).filter(
        ([name, value]) => value !== undefined && value !== before[name as keyof typeof wanted],
      ),
    );
    if (Object.keys(changes).length === 0) return before;
    await ctx.db.quickReply.update({
      where: { companyId_id: { companyId: ctx.companyId, id: before.id } },
      data: {
        ...changes,
        ...(text === undefined ? {} : { variables: variablesIn(text) }),
        version: { increment: 1 },
        updatedAt: ctx.now(),
      },
    });
    return requireQuickReply(ctx, before.id);
  },
);

export const deleteQuickReply = mutation(
  { access: 'quick-replies.manage', dashboardOnly: true, input: QuickReplyPath, targets: quickReplyTargets },
  async (ctx, { quick_reply }) => {
    const { id } = await requireQuickReply(ctx, quick_reply);
    await ctx.db.quickReply.delete({ where: { companyId_id: { companyId: ctx.companyId, id } } });
    return { id };
  },
);

export async function requireQuickReply(ctx: Context, id: string): Promise<QuickReplyRecord> {
  const row = await findQuickReply(ctx, id);
  if (!row) throw notFound();
  return row;
}

async function refuseDuplicate(ctx: WorkContext, shortcut: string, self?: string): Promise<void> {
  const existing = await ctx.db.quickReply.findFirst({
    where: { companyId: ctx.companyId, shortcut },
    select: { id: true },
  });
  if (existing && existing.id !== self)
    throw invalidField('shortcut', 'duplicate', 'Another quick reply has this shortcut.', existing.id);
}
