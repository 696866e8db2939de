import type { Context } from '../platform/context.ts';
import { isId } from '../platform/ids.ts';

/** For admins in the dashboard and for the command line: a person's whole record is in their hands. */
export const access = { access: 'admin', dashboardOnly: true, liveOnly: true } as const;

/** Deleted ones too, until nothing of them is left. */
export async function findPerson(
  ctx: Context,
  id: string,
): Promise<{ id: string; deletedAt: Date | null } | null> {
  if (!isId(id)) return null;
  return ctx.db.contact.findFirst({
    where: { companyId: ctx.companyId, id, anonymisedAt: null },
    select: { id: true, deletedAt: true },
  });
}

export const personTargets = {
  contact: async (ctx: Context, id: string) => (await findPerson(ctx, id)) !== null,
};
