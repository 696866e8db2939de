import { z } from 'zod';
import { Prisma } from '../../prisma/generated/client/client.ts';
import { pathId } from '../../schema/common.ts';
import { defaultTagColor, TagCreate, TagListQuery, tagMaximum, TagUpdate } from '../../schema/tags.ts';
import type { Context } from '../platform/context.ts';
import { forbidden, invalidField, notFound } from '../platform/errors.ts';
import { isId, newId } from '../platform/ids.ts';
import { refuseTakenName } from '../platform/names.ts';
import { mutation, query } from '../platform/operation.ts';
import { columns, containsText, readPage } from '../platform/pagination.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import type { CountedTag } from './present.ts';

const tagPath = { tag: pathId };

const select = Prisma.sql`SELECT ${columns(Prisma.TagScalarFieldEnum)},
  (SELECT count(*)::int FROM conversation_tags used
    WHERE used.company_id = tags.company_id AND used.tag_id = tags.id) AS "conversationsCount",
  (SELECT count(*)::int FROM contact_tags used
    JOIN contacts ON contacts.company_id = used.company_id AND contacts.id = used.contact_id
    WHERE used.company_id = tags.company_id AND used.tag_id = tags.id
      AND contacts.deleted_at IS NULL) AS "contactsCount"
  FROM tags`;

/** The tag with its counts, or null when it is unknown to this company. */
export async function findTag(ctx: Context, id: string): Promise<CountedTag | null> {
  if (!isId(id)) return null;
  const rows = await ctx.db.$queryRaw<
    CountedTag[]
  >`${select} WHERE company_id = ${ctx.companyId} AND id = ${id}`;
  return rows[0] ?? null;
}

/** Paths that name a tag. */
/** For writes: a system tag exists, so writing to it is 403 whatever the body says. */
const ownTagTargets = {
  tag: async (ctx: Context, id: string) => {
    const tag = await findTag(ctx, id);
    if (tag?.system) throw forbidden('System tags are read-only.');
    return tag !== null;
  },
};

export const tagTargets = { tag: async (ctx: Context, id: string) => (await findTag(ctx, id)) !== null };

export const showTag = query(
  { access: 'inbox.access', input: z.object(tagPath), targets: tagTargets },
  async (ctx, { tag }) => {
    const row = await findTag(ctx, tag);
    if (!row) throw notFound();
    return row;
  },
);

/** In name order. */
export const listTags = query({ access: 'inbox.access', input: TagListQuery }, (ctx, input) =>
  readPage<CountedTag>(ctx, {
    list: 'tags',
    select,
    where: input.q ? [containsText('name_sort', input.q)] : [],
    filters: input,
    sort: {
      name: 'name',
      column: 'name_sort',
      type: 'text',
      direction: 'asc',
      valueOf: (row) => row.nameSort,
    },
    limit: input.limit,
    cursor: input.cursor,
  }),
);

export const createTag = mutation({ access: 'tags.manage', input: TagCreate }, async (ctx, input) => {
  await lockTags(ctx);
  await refuseTakenName(ctx, 'tag', input.name);
  if ((await ctx.db.tag.count({ where: { companyId: ctx.companyId } })) >= tagMaximum) {
    throw invalidField('name', 'max', `A company has at most ${tagMaximum} tags.`);
  }
  const now = ctx.now();
  const row = await ctx.db.tag.create({
    data: {
      companyId: ctx.companyId,
      id: newId(),
      name: input.name,
      color: input.color ?? defaultTagColor,
      createdAt: now,
      updatedAt: now,
    },
  });
  return { ...row, conversationsCount: 0, contactsCount: 0 };
});

export const updateTag = mutation(
  { access: 'tags.manage', input: TagUpdate.extend(tagPath), targets: ownTagTargets },
  async (ctx, { tag, name, color }) => {
    await lockTags(ctx);
    const before = await requireOwnTag(ctx, tag);
    const changes = {
      ...(name === undefined || name === before.name ? {} : { name }),
      ...(color === undefined || color === before.color ? {} : { color }),
    };
    if (Object.keys(changes).length === 0) return before;
    if (changes.name !== undefined) await refuseTakenName(ctx, 'tag', changes.name, before.id);
    const row = await ctx.db.tag.update({
      where: { companyId_id: { companyId: ctx.companyId, id: before.id } },
      data: { ...changes, version: { increment: 1 }, updatedAt: ctx.now() },
    });
    return { ...before, ...row };
  },
);

/** Detaches the tag everywhere. */
export const deleteTag = mutation(
  { access: 'tags.manage', input: z.object(tagPath), targets: ownTagTargets },
  async (ctx, { tag }) => {
    await lockTags(ctx);
    const { id } = await requireOwnTag(ctx, tag);
    // Whoever attaches it holds its row; after this lock none can, and the rows list everyone who did.
    await ctx.db.$queryRaw`SELECT 1 FROM tags WHERE company_id = ${ctx.companyId} AND id = ${id} FOR UPDATE`;
    await ctx.db.$executeRaw`
      UPDATE conversations SET tag_ids = array_remove(tag_ids, ${id}), version = version + 1, updated_at = ${ctx.now()}
      WHERE company_id = ${ctx.companyId} AND id IN (
        SELECT conversation_id FROM conversation_tags WHERE company_id = ${ctx.companyId} AND tag_id = ${id})`;
    await ctx.db.tag.delete({ where: { companyId_id: { companyId: ctx.companyId, id } } });
    return { id };
  },
);

/** A system tag exists and may be read, so a write to it is 403, not 404. */
async function requireOwnTag(ctx: WorkContext, id: string): Promise<CountedTag> {
  const tag = await findTag(ctx, id);
  if (!tag) throw notFound();
  if (tag.system) throw forbidden('System tags are read-only.');
  return tag;
}

/** Changes of one company's tags follow each other, so that names and their number can be checked before writing. */
async function lockTags(ctx: WorkContext): Promise<void> {
  await ctx.db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`tags:${ctx.companyId}`}, 0))`;
}
