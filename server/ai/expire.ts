import { changeConversation, lockConversations } from '../conversations/thread.ts';
import type { Services } from '../platform/services.ts';
import { asSystem } from '../platform/system-context.ts';
import { acrossTenants } from '../platform/tenancy.ts';
import { inUnitOfWork } from '../platform/unit-of-work.ts';
import { suggestionLifeMs } from './limits.ts';

const batch = 1_000;

/** Suggestions that nobody decided on within 24 hours. The sandbox's stay. @returns conversations that had some */
export async function expireOldSuggestions(app: Services): Promise<number> {
  const before = new Date(app.clock.now().getTime() - suggestionLifeMs);
  const due = await acrossTenants(
    () => app.prisma.$queryRaw<{ companyId: string; conversationId: string }[]>`
      SELECT DISTINCT company_id AS "companyId", conversation_id AS "conversationId"
      FROM ai_suggestions JOIN companies ON companies.id = company_id
        AND companies.sandbox_of IS NULL AND companies.closed_at IS NULL
      WHERE ai_suggestions.status = 'pending' AND ai_suggestions.created_at <= ${before}
      LIMIT ${batch}`,
  );
  for (const { companyId, conversationId } of due) await expireIn(app, companyId, conversationId, before);
  return due.length;
}

async function expireIn(app: Services, companyId: string, conversationId: string, before: Date) {
  await asSystem(app, companyId, (ctx) =>
    inUnitOfWork(ctx, async (work) => {
      const [record] = await lockConversations(work, [conversationId]);
      if (!record) return;
      // A newer set may have come since.
      const { count } = await work.db.aiSuggestion.updateMany({
        where: { companyId, conversationId, status: 'pending', createdAt: { lte: before } },
        data: { status: 'EXPIRED', statusAt: work.now() },
      });
      if (count > 0)
        await changeConversation(work, record, { pendingSuggestions: record.pendingSuggestions - count });
    }),
  );
}
