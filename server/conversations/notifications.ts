import type { Prisma } from '../../prisma/generated/client/client.ts';
import { announce } from '../platform/announce.ts';
import { newId } from '../platform/ids.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { isMuted } from './present.ts';
import type { ConversationRecord } from './record.ts';

interface Told {
  userId: string;
  kind: 'mention' | 'assigned' | 'transferred' | 'reply';
  conversationId: string;
  data?: Prisma.InputJsonObject;
}

/** Tells agents, but never the one who acts. One statement. */
export async function notifyAgents(ctx: WorkContext, told: readonly Told[]): Promise<void> {
  const { user } = ctx.principal;
  const others = told.filter(({ userId }) => userId !== user?.id);
  if (others.length === 0) return;
  const by = user && { name: user.name, email: user.email };
  const rows = others.map(({ data, ...row }) => ({
    companyId: ctx.companyId,
    id: newId(),
    createdAt: ctx.now(),
    data: { ...data, by },
    ...row,
  }));
  await ctx.db.notification.createMany({ data: rows });
  announce(
    ctx,
    ...rows.map(({ id, kind, userId, conversationId: conversation }) => ({
      type: 'notification.created' as const,
      user: userId,
      conversation,
      object: { id, kind, conversation },
    })),
  );
}

/**
 * Tells those who follow a thread that its customer wrote, unless it is muted. Whoever has not read the last such
 * notice of the thread gets no other.
 */
export async function notifyFollowers(
  ctx: WorkContext,
  record: ConversationRecord,
  messageId: string,
): Promise<void> {
  if (isMuted(record, ctx.now())) return;
  const { companyId } = ctx;
  const followers = await ctx.db.$queryRaw<{ userId: string }[]>`
    SELECT follower.user_id AS "userId" FROM conversation_followers follower
    JOIN users ON users.company_id = ${companyId} AND users.id = follower.user_id AND users.deactivated_at IS NULL
    WHERE follower.company_id = ${companyId} AND follower.conversation_id = ${record.id}
      AND NOT EXISTS (SELECT FROM notifications told WHERE told.company_id = ${companyId}
        AND told.conversation_id = ${record.id} AND told.user_id = follower.user_id
        AND told.kind = 'reply' AND told.read_at IS NULL)`;
  await notifyAgents(
    ctx,
    followers.map(({ userId }) => ({
      userId,
      kind: 'reply',
      conversationId: record.id,
      data: { message: messageId },
    })),
  );
}
