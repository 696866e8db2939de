import { builtIn } from '../ai/built-in/engine.ts';
import { gatherThread } from '../ai/gather.ts';
import { replaceSuggestions } from '../ai/generate.ts';
import type { Insights } from '../../schema/ai.ts';
import { lockConversations } from '../conversations/thread.ts';
import type { Context } from '../platform/context.ts';
import type { Services } from '../platform/services.ts';
import { systemContext } from '../platform/system-context.ts';
import { inTenant } from '../platform/tenancy.ts';
import { inUnitOfWork, type WorkContext } from '../platform/unit-of-work.ts';

const threads = 8;
/** The engine answers at once. */
const patience = () => AbortSignal.timeout(5_000);

/** What AI makes of the threads that wait for an answer, so that a first look shows it. Safe to repeat. */
export async function assistWaiting(app: Services, companyId: string): Promise<void> {
  const ctx = await systemContext(app, companyId);
  await inTenant(companyId, async () => {
    const waiting = await app.prisma.conversation.findMany({
      where: { companyId, status: 'open', waitingSince: { not: null }, insight: null },
      orderBy: { lastMessageAt: 'desc' },
      take: threads,
      select: { id: true },
    });
    for (const { id } of waiting) await assist(ctx, id);
  });
}

/** The same for a thread in which a customer of the demo has just written. */
export async function assistThread(app: Services, companyId: string, conversation: string): Promise<void> {
  const ctx = await systemContext(app, companyId);
  await inTenant(companyId, () => assist(ctx, conversation));
}

/** By the built-in engine, whatever the installation has: a demo spends nobody's money. */
async function assist(ctx: Context, conversation: string): Promise<void> {
  const thread = await gatherThread(ctx, conversation);
  const insights = await builtIn.insights(thread, patience());
  const suggested = await builtIn.suggest(thread, patience());
  await inUnitOfWork(ctx, async (work) => {
    const [record] = await lockConversations(work, [conversation]);
    if (!record || record.status === 'closed') return;
    if (insights.outcome === 'ok')
      await keepInsights(work, conversation, insights.value, thread.messages.at(-1));
    if (suggested.outcome === 'ok') await replaceSuggestions(work, record, suggested.value, null);
  });
}

/** Only where there are none yet: what was computed when a customer wrote knows more. */
async function keepInsights(
  ctx: WorkContext,
  conversationId: string,
  { sentiment, purchase_likelihood: purchaseLikelihood, intent }: Insights,
  newest: { id: string; at: Date } | undefined,
): Promise<void> {
  const row = { companyId: ctx.companyId, conversationId, sentiment, purchaseLikelihood, intentKey: intent };
  await ctx.db.aiInsight.createMany({
    data: [
      {
        ...row,
        intentAt: intent && newest ? newest.at : null,
        basedOn: newest?.id ?? null,
        updatedAt: ctx.now(),
      },
    ],
    skipDuplicates: true,
  });
}
