import { z } from 'zod';
import { SessionPath } from '../../schema/agents.ts';
import type { Context } from '../platform/context.ts';
import { forbidden, notFound } from '../platform/errors.ts';
import { mutation, query } from '../platform/operation.ts';
import { sessionLimits } from '../platform/sessions.ts';
import type { Services } from '../platform/services.ts';

const own = { access: 'any', dashboardOnly: true, liveOnly: true } as const;

/** Where the caller is signed in, last used first. */
export const listSessions = query({ ...own, input: z.object({}) }, async (ctx) => {
  const now = ctx.now().getTime();
  const rows = await ctx.db.session.findMany({
    where: {
      userId: await loginOf(ctx),
      updatedAt: { gt: new Date(now - sessionLimits.idle) },
      expiresAt: { gt: new Date(now) },
    },
    orderBy: { updatedAt: 'desc' },
    take: 100,
  });
  return rows.map((row) => ({ ...row, current: row.id === ctx.principal.session }));
});

export const endSession = mutation({ ...own, input: SessionPath }, async (ctx, { session }) => {
  const { count } = await ctx.db.session.deleteMany({
    where: { id: session, userId: await loginOf(ctx) },
  });
  if (count === 0) throw notFound();
  return { ended: count };
});

/** Signs out everywhere, here too. */
export const endSessions = mutation({ ...own, input: z.object({}) }, async (ctx) => ({
  ended: await endSessionsOf(ctx.db, await loginOf(ctx)),
}));

/** Ends what a login has open; effective with the commit. */
export async function endSessionsOf(
  db: Pick<Services['prisma'], 'session'>,
  loginId: string,
): Promise<number> {
  const { count } = await db.session.deleteMany({ where: { userId: loginId } });
  return count;
}

/** @throws AppError `forbidden` for whoever has no login */
export async function loginOf({ db, companyId, principal }: Context): Promise<string> {
  const id = principal.user?.id;
  const user =
    id === undefined ? null : await db.user.findUnique({ where: { companyId_id: { companyId, id } } });
  if (!user?.loginId) throw forbidden('Only agents who sign in can do that.');
  return user.loginId;
}
