import { z } from 'zod';
import type { Prisma } from '../../prisma/generated/client/client.ts';
import { pathId } from '../../schema/common.ts';
import { ConversationTagAttach } from '../../schema/conversations.ts';
import { actorOf } from '../platform/context.ts';
import { invalidField, notFound } from '../platform/errors.ts';
import { isId } from '../platform/ids.ts';
import { mutation } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { tagTargets } from '../tags/service.ts';
import { type Act, actOnOne, conversationPath } from './action.ts';
import { conversationTargets, type TagRef } from './record.ts';
import { changeConversations } from './thread.ts';

/** Attaches a tag where it is not attached yet; `tag_ids` of the conversation is kept equal to the rows. */
export function attach(tag: TagRef): Act {
  return async (ctx, records) => {
    const others = records.filter((record) => !record.tagIds.includes(tag.id));
    if (others.length === 0) return [];
    await ctx.db.conversationTag.createMany({
      data: others.map((record) => ({
        companyId: ctx.companyId,
        conversationId: record.id,
        tagId: tag.id,
        attachedAt: ctx.now(),
        attachedBy: { ...actorOf(ctx) } satisfies Prisma.InputJsonObject,
      })),
    });
    return changeConversations(
      ctx,
      others.map((record) => ({
        record,
        changes: { tagIds: [...record.tagIds, tag.id], tags: [...record.tags, tag] },
        entries: [{ type: 'conversation.tagged', data: { tag } }],
      })),
    );
  };
}

export function detach(tag: TagRef): Act {
  return async (ctx, records) => {
    const tagged = records.filter((record) => record.tagIds.includes(tag.id));
    if (tagged.length === 0) return [];
    await ctx.db.conversationTag.deleteMany({
      where: {
        companyId: ctx.companyId,
        tagId: tag.id,
        conversationId: { in: tagged.map((record) => record.id) },
      },
    });
    return changeConversations(
      ctx,
      tagged.map((record) => ({
        record,
        changes: {
          tagIds: record.tagIds.filter((id) => id !== tag.id),
          tags: record.tags.filter(({ id }) => id !== tag.id),
        },
        entries: [{ type: 'conversation.untagged', data: { tag } }],
      })),
    );
  };
}

/** The tag, kept from being deleted until this transaction ends; null when the company has none with this id. */
export async function holdTag(ctx: WorkContext, id: string): Promise<TagRef | null> {
  if (!isId(id)) return null;
  const [tag] = await ctx.db.$queryRaw<TagRef[]>`
    SELECT id, name, color FROM tags WHERE company_id = ${ctx.companyId} AND id = ${id} FOR KEY SHARE`;
  return tag ?? null;
}

export const attachTag = mutation(
  {
    access: 'inbox.access',
    input: ConversationTagAttach.extend(conversationPath),
    targets: conversationTargets,
  },
  (ctx, { conversation, tag: id }) =>
    actOnOne(ctx, conversation, async (inner, records) => {
      const tag = await holdTag(inner, id);
      if (!tag) throw invalidField('tag', 'unknown_id', 'Is no tag of the company.');
      return attach(tag)(inner, records);
    }),
);

export const detachTag = mutation(
  {
    access: 'inbox.access',
    input: z.object({ ...conversationPath, tag: pathId }),
    targets: { ...conversationTargets, ...tagTargets },
  },
  (ctx, { conversation, tag: id }) =>
    actOnOne(ctx, conversation, async (inner, records) => {
      const tag = await holdTag(inner, id);
      if (!tag) throw notFound();
      return detach(tag)(inner, records);
    }),
);
