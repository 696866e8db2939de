import type { Services } from '../platform/services.ts';
import { asSystem } from '../platform/system-context.ts';
import { acrossTenants } from '../platform/tenancy.ts';
import { inUnitOfWork, type WorkContext } from '../platform/unit-of-work.ts';
import { assignWaiting } from './assign.ts';
import { closeIdle } from './auto-close.ts';
import { sendAwayMessage } from './away.ts';
import { askForRating } from './rating-request.ts';

/** Starts what the house does by itself in the inbox. */
export async function workOnAutomation(app: Services): Promise<void> {
  await app.jobs.work('automation.away', (data) => inWork(app, data, sendAwayMessage), { concurrency: 2 });
  await app.jobs.work('automation.rating', (data) => inWork(app, data, askForRating), { concurrency: 2 });
  await app.jobs.work(
    'automation.assign',
    async ({ companyId }) => void (await asSystem(app, companyId, assignWaiting)),
    { concurrency: 2 },
  );
  await app.jobs.work('automation.sweep', () => sweep(app));
  await app.jobs.schedule('automation.sweep', '* * * * *');
  await app.jobs.work('automation.close', () => closeAll(app));
  await app.jobs.schedule('automation.close', '23 * * * *');
}

async function inWork<D extends { companyId: string }>(
  app: Services,
  data: D,
  work: (ctx: WorkContext, data: D) => Promise<void>,
): Promise<void> {
  await asSystem(app, data.companyId, (ctx) => inUnitOfWork(ctx, (inner) => work(inner, data)));
}

/**
 * Companies that assign by themselves and have somebody waiting: room comes about in many ways, as when an agent hands
 * one over or AI gives up.
 */
async function sweep(app: Services): Promise<void> {
  const companies = await acrossTenants(
    () => app.prisma.$queryRaw<{ companyId: string }[]>`
      SELECT id AS "companyId" FROM companies
      WHERE auto_assign AND sandbox_of IS NULL AND closed_at IS NULL AND EXISTS (
        SELECT FROM conversations c
        WHERE c.company_id = companies.id AND c.status = 'open' AND c.assignee_id IS NULL
          AND (c.waiting_since IS NOT NULL OR c.team_id IS NOT NULL))`,
  );
  await app.jobs.enqueueAll('automation.assign', companies);
}

/** For all companies that want it. */
export async function closeAll(app: Services): Promise<void> {
  const companies = await acrossTenants(() =>
    app.prisma.company.findMany({
      where: { autoCloseDays: { not: null }, sandboxOf: null, closedAt: null },
      select: { id: true, autoCloseDays: true },
    }),
  );
  for (const { id, autoCloseDays } of companies) {
    if (autoCloseDays !== null) await asSystem(app, id, (ctx) => closeIdle(ctx, autoCloseDays));
  }
}
