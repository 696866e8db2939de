import type { WorkContext } from '../platform/unit-of-work.ts';

/**
 * Something waits for an agent, or an agent has become free: auto-assignment looks after the commit, where the company
 * has switched it on.
 */
export async function askForAssignment(ctx: WorkContext): Promise<void> {
  const { companyId } = ctx;
  const { autoAssign } = await ctx.db.company.findUniqueOrThrow({
    where: { id: companyId },
    select: { autoAssign: true },
  });
  if (autoAssign) await ctx.enqueue('automation.assign', { companyId });
}
