import type { Prisma } from '../../prisma/generated/client/client.ts';
import { announce } from '../platform/announce.ts';
import { newId } from '../platform/ids.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';

interface Told {
  userId: string;
  kind: 'mention' | 'assigned' | 'transferred';
  conversationId: string;
  data?: Prisma.InputJsonObject;
}

/** Tells agents, but never the one who acts. One statement. */
export async function notifyAgents(ctx: WorkContext, told: readonly Told[]): Promise<void> {
  const others = told.filter(({ userId }) => userId !== ctx.principal.user?.id);
  if (others.length === 0) return;
  const rows = others.map((row) => ({
    companyId: ctx.companyId,
    id: newId(),
    createdAt: ctx.now(),
    ...row,
  }));
  await ctx.db.notification.createMany({ data: rows });
  await announce(
    ctx,
    ...rows.map(({ id, kind, userId: user, conversationId: conversation }) => ({
      type: 'notification.created' as const,
      user,
      conversation,
      object: { id, kind, conversation },
    })),
  );
}
