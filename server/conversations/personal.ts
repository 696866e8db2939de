import { z } from 'zod';
import { invalidField } from '../platform/errors.ts';
import { mutation } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { actingUser, conversationPath } from './action.ts';
import { announcePersonal } from './announcements.ts';
import { type ConversationRecord, conversationTargets, requireConversation } from './record.ts';

/** At most this many pins an agent. */
export const pinMaximum = 50;

type Personal = (ctx: WorkContext, user: string, record: ConversationRecord) => Promise<ConversationRecord>;

/** Pins and follows are private to the acting user: no entry, no event, and the conversation itself is unchanged. */
function personalAction(act: Personal) {
  return mutation(
    { access: 'inbox.access', input: z.object(conversationPath), targets: conversationTargets },
    async (ctx, { conversation }) => {
      const record = await requireConversation(ctx, conversation);
      return act(ctx, actingUser(ctx).id, record);
    },
  );
}

export const pinConversation = personalAction(async (ctx, userId, record) => {
  if (record.pinned) return record;
  // Pins of one agent follow each other, so that they can be counted before one is added.
  await ctx.db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`pins:${userId}`}, 0))`;
  const pinned = await ctx.db.conversationPin.count({ where: { companyId: ctx.companyId, userId } });
  if (pinned >= pinMaximum) {
    throw invalidField('conversation', 'max', `At most ${pinMaximum} conversations can be pinned.`);
  }
  await ctx.db.$executeRaw`
    INSERT INTO conversation_pins (company_id, user_id, conversation_id, created_at)
    VALUES (${ctx.companyId}, ${userId}, ${record.id}, ${ctx.now()}) ON CONFLICT DO NOTHING`;
  announcePersonal(ctx, 'conversation.pinned', userId, record.id);
  return { ...record, pinned: true };
});

export const unpinConversation = personalAction(async (ctx, userId, record) => {
  if (!record.pinned) return record;
  await ctx.db.conversationPin.deleteMany({
    where: { companyId: ctx.companyId, userId, conversationId: record.id },
  });
  announcePersonal(ctx, 'conversation.unpinned', userId, record.id);
  return { ...record, pinned: false };
});

export const followConversation = personalAction(async (ctx, userId, record) => {
  if (record.followed) return record;
  await addFollowers(ctx, record.id, [userId]);
  announcePersonal(ctx, 'conversation.followed', userId, record.id);
  return { ...record, followed: true };
});

export const unfollowConversation = personalAction(async (ctx, userId, record) => {
  if (!record.followed) return record;
  await ctx.db.conversationFollower.deleteMany({
    where: { companyId: ctx.companyId, userId, conversationId: record.id },
  });
  announcePersonal(ctx, 'conversation.unfollowed', userId, record.id);
  return { ...record, followed: false };
});

/** Agents who are told of everything in the thread from now on; those who follow already stay. */
export async function addFollowers(
  ctx: WorkContext,
  conversationId: string,
  userIds: readonly string[],
): Promise<void> {
  if (userIds.length === 0) return;
  await ctx.db.conversationFollower.createMany({
    data: userIds.map((userId) => ({
      companyId: ctx.companyId,
      conversationId,
      userId,
      createdAt: ctx.now(),
    })),
    skipDuplicates: true,
  });
}
